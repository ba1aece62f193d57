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

  /** A request has begun. */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    const connection = this.#of(socket);
    connection.due.add(outgoing);
    connection.newest = { incoming, outgoing };
    outgoing.once('close', () => {
      connection.due.delete(outgoing);
      if (connection.due.size === 0 && connection.last !== undefined) say(socket, connection.last);
    });
  }

  /** The newest request is answered, though it has not come in whole. */
  decide({ socket }: IncomingMessage): void {
    this.#of(socket).newest = undefined;
  }

  /** Called again for whatever still comes in. */
  give(socket: RawSocket, bytes: string): void {
    const connection = this.#of(socket);
    const { due, newest } = connection;
    if (connection.last !== undefined) {
      if (socket.bytesRead - connection.bytesRead > LINGER_BYTES) socket.destroy();
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
      connection = { due: new Set(), newest: undefined, last: undefined, bytesRead: 0 };
      this.#connections.set(socket, connection);
    }
    return connection;
  }
}

/** The client may still be sending: a connection that is closed with bytes unread is reset, and the answer lost. */
function say(socket: RawSocket, bytes: string): void {
  if (!socket.writable) {
    socket.destroySoon();
    return;
  }
  socket.setTimeout(LINGER_MS, () => {
    socket.destroy();
  });
  socket.end(bytes);
  socket.resume();
}
