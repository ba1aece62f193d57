import type { IncomingMessage, ServerResponse } from 'node:http';

type RawSocket = IncomingMessage['socket'];

interface Connection {
  /** The requests that still need an answer, in order. */
  readonly due: Set<ServerResponse>;
  /** The newest request; `undefined` if it was answered before it came in whole. */
  newest: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse } | undefined;
  /** The answer to send when no other is due; `undefined` until something unreadable came in. */
  last: string | undefined;
  /** How many bytes had been read by then. */
  bytesRead: number;
  /** Whether the last answer is sent: what still comes in is read and ignored. */
  isOver: boolean;
}

/** After the last answer: how long a client may stay silent (ms), and how many more bytes it may send. */
const LINGER_MS = 2_000;
const LINGER_BYTES = 4_194_304;

/**
 * Answers bytes that never became a request. Such an answer is the last of its connection. Clients match answers to
 * requests by order only, so it waits for the answers of the requests that came in whole before.
 */
export class LastAnswers {
  readonly #connections = new WeakMap<RawSocket, Connection>();

  /** Notes that a request has begun. Returns false after the last answer of its connection: it must not be executed. */
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

  /** Notes that the newest request is answered although it has not come in whole. */
  decide({ socket }: IncomingMessage): void {
    this.#of(socket).newest = undefined;
  }

  /** Handles a request that took too long. Ends the connection if its last answer is sent, else sends it. */
  timeOut(socket: RawSocket, bytes: string): void {
    if (this.#of(socket).isOver) socket.destroy();
    else this.give(socket, bytes);
  }

  /**
   * Sends the last answer once no other is due. May be called again for further bytes, which only count towards the
   * limit.
   */
  give(socket: RawSocket, bytes: string): void {
    const connection = this.#of(socket);
    const { due, newest } = connection;
    if (connection.last !== undefined || connection.isOver) {
      enough(socket, connection);
      return;
    }
    connection.last = bytes;
    connection.bytesRead = socket.bytesRead;
    // The last answer also answers the request that is incomplete.
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
      // Node calls this after an answer with `connection: close`. Closing at once could reset the connection, see
      // `linger`.
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

/**
 * Ends the connection but keeps reading for a while. The client may still be sending, and a connection that is closed
 * with unread bytes is reset, so that the client may lose the answer.
 */
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
