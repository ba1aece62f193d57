import { buildConnector } from 'undici';
import type { CancelTimer, Clock, Timers } from '../ports/clock.js';
import type { HttpRequest } from '../ports/http.js';
import type { HttpExchange } from './http-exchange.js';
import { AnswerReader, BrokenAnswer, requestText } from './http-wire.js';

type Socket = Exclude<Parameters<buildConnector.Callback>[1], null>;

interface Spare {
  readonly openedAt: number;
  /** It will soon be too old, and its successor is being opened. */
  replaced: boolean;
  readonly socket: Socket;
  /** False once a byte or a FIN arrived, or it closed. */
  isClean(): boolean;
  /** Hands the socket over: this spare no longer watches it. */
  letGo(): void;
  discard(): void;
}

export interface OrderLaneOptions {
  readonly origin: URL;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Connections opened ahead: after each request for the next ones, and all the time while orders are expected. */
  readonly spares: number;
  /** A spare older than this is not used, ms: a server may close it as idle while a request is on its way. */
  readonly maxAgeMs: number;
  readonly connectTimeoutMs: number;
  readonly maxResponseBytes: number;
}

/** Fraction of `maxAgeMs` after which a spare gets a successor while orders are expected. */
const FRESH_SHARE = 0.75;
/** Fraction of `maxAgeMs` after which a spare that the server closed is replaced. */
const RETRY_SHARE = 0.25;

/**
 * Sends every request on a connection of its own that has carried none before. So no server
 * closes a kept-alive connection while an order is on its way, and no library can repeat a
 * request on it. With a spare at hand the bytes are written before `send` returns.
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

  /** `true`: orders may follow at any time, so spares that grow old are replaced. `false`: no longer. */
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

  /** Asks again whether the request may leave: the reasons that allowed it are older than the new connection. */
  #askToLeave(socket: Socket, exchange: HttpExchange, request: HttpRequest, path: string): void {
    const { mayLeave } = request;
    if (mayLeave === undefined || exchange.settled) {
      this.#sendOn(socket, exchange, request, path);
      return;
    }
    this.#busy.add(socket);
    mayLeave((may) => {
      // `answer` may be called a turn or two later, when the socket may have changed.
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

  /** Writes first and sets up the rest after it: no event of the socket can arrive before this turn is over. */
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
    // Not before the bytes are out: opening a connection costs as much as sending.
    if (mayWrite) this.#options.timers.soon(() => this.#openSpares());
    else over();
  }

  #takeSpare(): Spare | undefined {
    for (;;) {
      let spare: Spare | undefined;
      // The youngest: the server is the least likely to be closing it right now.
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
        // No error here: the next request opens its own connection and reports why that fails.
        .catch(() => this.#openLater(this.#options.maxAgeMs));
    }
  }

  /** Opens spares after a pause, so that a server that closes each at once is not flooded with connections. */
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
    // A server sends nothing before a request: a byte, a FIN or an error makes the spare unusable.
    socket.unref().on('readable', spoil).on('end', spoil).on('close', spoil);
    const cancelReplacement = timers.after(maxAgeMs * FRESH_SHARE, () => {
      spare.replaced = true;
      if (this.#expected) this.#openSpares();
    });
    const cancelExpiry = timers.after(maxAgeMs, () => {
      this.#spares.delete(spare);
      spare.discard();
      // After a stall of the process both timers are due at once, and `discard` cancels the replacement: open one here.
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
    // A successor has arrived: drop the oldest spare that was waiting for one.
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
