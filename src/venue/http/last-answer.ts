import type { IncomingMessage, ServerResponse } from 'node:http';

type RawSocket = IncomingMessage['socket'];

interface Connection {
  /** What requests are still to be given, in order. */
  readonly due: Set<ServerResponse>;
  /** The newest request, unless it is answered before its end. */
  newest: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse } | undefined;
  /** What is said when nothing is due any more; `undefined` until something unreadable came. */
  last: string | undefined;
  /** How much had come in by then. */
  bytesRead: number;
  /** The last answer is out: what still comes in is read and not looked at. */
  isOver: boolean;
}

/** How long a client that was told goodbye may stay silent, ms, and how much more it may send before it listens. */
const LINGER_MS = 2_000;
const LINGER_BYTES = 4_194_304;

/**
 * Answers to what never became a request. Such an answer is the last of its connection, and clients tell answers apart
 * by their order only: it waits for those of the requests that came in whole before.
 */
export class LastAnswers {
  readonly #connections = new WeakMap<RawSocket, Connection>();

  /** A request has begun. False when the last answer of its connection is out: it must not be acted on. */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const { socket } = incoming;
    const connection = this.#of(socket);
    if (connection.isOver) {
      enough(socket, connection);
      return false;
    }
    connection.due.add(outgoing);
    connection.newest = { incoming, outgoing };
    outgoing.once('close', () => {
      connection.due.delete(outgoing);
      if (connection.due.size === 0 && connection.last !== undefined) say(socket, connection.last);
    });
    return true;
  }

  /** The newest request is answered, though it has not come in whole. */
  decide({ socket }: IncomingMessage): void {
    this.#of(socket).newest = undefined;
  }

  /** The client had all its time: whoever was told goodbye is cut off, and anyone else is told. */
  timeOut(socket: RawSocket, bytes: string): void {
    if (this.#of(socket).isOver) socket.destroy();
    else this.give(socket, bytes);
  }

  /** Called again for whatever still comes in. */
  give(socket: RawSocket, bytes: string): void {
    const connection = this.#of(socket);
    const { due, newest } = connection;
    if (connection.last !== undefined || connection.isOver) {
      enough(socket, connection);
      return;
    }
    connection.last = bytes;
    connection.bytesRead = socket.bytesRead;
    // This is its answer.
    if (newest?.incoming.complete === false) due.delete(newest.outgoing);
    if (due.size === 0) say(socket, bytes);
  }

  #of(socket: RawSocket): Connection {
    let connection = this.#connections.get(socket);
    if (connection === undefined) {
      const made: Connection = {
        due: new Set(),
        newest: undefined,
        last: undefined,
        bytesRead: 0,
        isOver: false,
      };
      connection = made;
      this.#connections.set(socket, made);
      // What Node calls once an answer with `connection: close` is out.
      socket.destroySoon = () => {
        if (made.isOver) return;
        made.isOver = true;
        made.bytesRead = socket.bytesRead;
        linger(socket);
      };
    }
    return connection;
  }
}

function enough(socket: RawSocket, { bytesRead }: Connection): void {
  if (socket.bytesRead - bytesRead > LINGER_BYTES) socket.destroy();
}

function say(socket: RawSocket, bytes: string): void {
  if (socket.writable) socket.write(bytes);
  linger(socket);
}

/** The client may still be sending: a connection that is closed with bytes unread is reset, and the answer lost. */
function linger(socket: RawSocket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.setTimeout(LINGER_MS, () => {
    socket.destroy();
  });
  socket.end();
  socket.resume();
}
