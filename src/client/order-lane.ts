import { buildConnector } from 'undici';
import type { CancelTimer, Clock, Timers } from '../ports/clock.js';
import type { HttpRequest } from '../ports/http.js';
import type { HttpExchange } from './http-exchange.js';
import { AnswerReader, BrokenAnswer, requestText } from './http-wire.js';

type Socket = Exclude<Parameters<buildConnector.Callback>[1], null>;

interface Spare {
  readonly openedAt: number;
  /** It will soon be too old: the one that takes its place is on its way. */
  replaced: boolean;
  readonly socket: Socket;
  /** False once a byte or a FIN arrived, or it closed. */
  isClean(): boolean;
  /** It is somebody else's from now on. */
  letGo(): void;
  discard(): void;
}

export interface OrderLaneOptions {
  readonly origin: URL;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Connections opened ahead: after each request for the next ones, and all the time while orders are expected. */
  readonly spares: number;
  /** A spare older than this is not used: servers close idle connections, and a close crosses a request. */
  readonly maxAgeMs: number;
  readonly connectTimeoutMs: number;
  readonly maxResponseBytes: number;
}

/** Part of its greatest age after which a spare gets a successor, while orders are expected. */
const FRESH_SHARE = 0.75;
/** The same after which a spare that the server closed is made up for. */
const RETRY_SHARE = 0.25;

/**
 * Every request on a connection of its own that carried none before: the race between a server that closes an idle
 * connection and an order on its way cannot happen, and there is nothing to send again on. With a connection at hand
 * the bytes are handed to it before `send` returns.
 */
export class OrderLane {
  readonly #options: OrderLaneOptions;
  readonly #connector: buildConnector.connector;
  readonly #host: string;
  readonly #spares = new Set<Spare>();
  readonly #busy = new Set<Socket>();
  #opening = 0;
  #expected = false;
  #cancelRetry: CancelTimer | undefined;
  #closed = false;

  constructor(options: OrderLaneOptions) {
    this.#options = options;
    this.#host = options.origin.host;
    this.#connector = buildConnector({ timeout: options.connectTimeoutMs, allowH2: false });
  }

  /** Orders may follow at any time, or no more: then spares are not replaced when they are too old. */
  expect(expected: boolean): void {
    this.#expected = expected && !this.#closed;
    if (this.#expected) this.#openSpares();
    else this.#cancelRetry?.();
  }

  send(exchange: HttpExchange, request: HttpRequest, path: string): void {
    if (exchange.settled) return;
    const spare = this.#takeSpare();
    if (spare !== undefined) {
      this.#sendOn(spare.socket, exchange, request, path, () => spare.letGo());
      return;
    }
    this.#connect().then(
      (socket) => this.#askToLeave(socket, exchange, request, path),
      (error: unknown) => exchange.failed(error as Error),
    );
  }

  close(): void {
    this.#closed = true;
    this.expect(false);
    for (const spare of this.#spares) spare.discard();
    this.#spares.clear();
    for (const socket of this.#busy) socket.destroy();
  }

  /** What allowed the request was looked at before the connection was made. */
  #askToLeave(socket: Socket, exchange: HttpExchange, request: HttpRequest, path: string): void {
    const { mayLeave } = request;
    if (mayLeave === undefined || exchange.settled) {
      this.#sendOn(socket, exchange, request, path);
      return;
    }
    this.#busy.add(socket);
    mayLeave((may) => {
      // The answer may be a turn or two later.
      const isClean = socket.writable && socket.readableLength === 0;
      if (may && isClean) {
        this.#sendOn(socket, exchange, request, path);
        return;
      }
      this.#busy.delete(socket);
      socket.destroy();
      if (may) exchange.failed(new BrokenAnswer('ECONNRESET'));
      else exchange.giveUp();
    });
  }

  /** Nothing is heard of the socket before this turn is over: all but the writing can wait until it is written to. */
  #sendOn(
    socket: Socket,
    exchange: HttpExchange,
    request: HttpRequest,
    path: string,
    letGo: () => void = () => undefined,
  ): void {
    const over = () => {
      this.#busy.delete(socket);
      socket.destroy();
    };
    let text: string;
    try {
      if (this.#closed) throw new Error('closed');
      text = requestText(this.#host, path, request);
    } catch (error) {
      letGo();
      over();
      exchange.failed(error as Error);
      return;
    }
    const mayWrite = exchange.start(over);
    if (mayWrite) socket.write(text);
    letGo();
    const answer = new AnswerReader(exchange, this.#options.maxResponseBytes);
    const read = (look: () => boolean) => {
      try {
        if (!look()) return;
        exchange.end();
      } catch (error) {
        exchange.failed(error as Error);
      }
      over();
    };
    this.#busy.add(socket);
    socket
      .on('data', (bytes: Buffer) => read(() => answer.push(bytes)))
      .on('end', () =>
        read(() => {
          answer.end();
          return true;
        }),
      )
      .on('error', (error: Error) => exchange.failed(error))
      .on('close', () => {
        if (!exchange.settled) exchange.failed(new BrokenAnswer('ECONNRESET'));
        over();
      });
    // Not before its bytes are out: connecting costs as much as sending does.
    if (mayWrite) this.#options.timers.soon(() => this.#openSpares());
    else over();
  }

  #takeSpare(): Spare | undefined {
    for (;;) {
      let spare: Spare | undefined;
      // The youngest first: it is the least likely to be closed from the other side just now.
      for (const each of this.#spares) spare = each;
      if (spare === undefined) return undefined;
      this.#spares.delete(spare);
      const age = this.#options.clock.monotonic() - spare.openedAt;
      if (age <= this.#options.maxAgeMs && spare.isClean()) return spare;
      spare.discard();
    }
  }

  #openSpares(): void {
    if (this.#closed) return;
    let missing = this.#options.spares - this.#opening;
    for (const { replaced } of this.#spares) if (!replaced) missing--;
    for (; missing > 0; missing--) {
      this.#opening++;
      this.#connect()
        .finally(() => this.#opening--)
        .then((socket) => this.#keep(socket))
        // The next request opens its own and says why it cannot.
        .catch(() => this.#openLater(this.#options.maxAgeMs));
    }
  }

  /** A server that keeps none of them open is not asked as fast as it closes them. */
  #openLater(ms: number): void {
    if (!this.#expected) return;
    this.#cancelRetry?.();
    this.#cancelRetry = this.#options.timers.after(ms, () => this.#openSpares());
  }

  #keep(socket: Socket): void {
    if (this.#closed) {
      socket.destroy();
      return;
    }
    const { timers, maxAgeMs } = this.#options;
    let clean = true;
    const spoil = () => {
      clean = false;
      letGo();
      socket.destroy();
      this.#spares.delete(spare);
      this.#openLater(maxAgeMs * RETRY_SHARE);
    };
    // A spare hears nothing before its request: a byte, a FIN or an error ends it.
    socket.unref().on('readable', spoil).on('end', spoil).on('close', spoil);
    const cancelReplacement = timers.after(maxAgeMs * FRESH_SHARE, () => {
      spare.replaced = true;
      if (this.#expected) this.#openSpares();
    });
    const cancelExpiry = timers.after(maxAgeMs, () => {
      this.#spares.delete(spare);
      spare.discard();
      // After a stall of the process both timers are due at once, and `discard` has canceled the replacement.
      if (this.#expected) this.#openSpares();
    });
    const letGo = () => {
      cancelReplacement();
      cancelExpiry();
      socket.off('readable', spoil).off('end', spoil).off('close', spoil);
    };
    const spare: Spare = {
      socket,
      openedAt: this.#options.clock.monotonic(),
      replaced: false,
      isClean: () => clean && !socket.destroyed && socket.readableLength === 0,
      letGo() {
        letGo();
        socket.ref();
      },
      discard() {
        letGo();
        socket.destroy();
      },
    };
    this.#spares.add(spare);
    // Its successor is here: the oldest of those that wait for one is not kept beside it.
    if (this.#spares.size <= this.#options.spares) return;
    for (const other of this.#spares) {
      if (!other.replaced) continue;
      this.#spares.delete(other);
      other.discard();
      return;
    }
  }

  #connect(): Promise<Socket> {
    const { protocol, hostname, host, port } = this.#options.origin;
    return new Promise((resolve, reject) => {
      this.#connector(
        { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), host, port },
        (error, socket) => {
          if (error === null) resolve(socket);
          else reject(error);
        },
      );
    });
  }
}
