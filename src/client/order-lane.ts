import { buildConnector, Client } from 'undici';
import type { Clock, Timers } from '../ports/clock.js';
import type { HttpRequest } from '../ports/http.js';
import type { HttpExchange } from './http-exchange.js';

type Socket = Exclude<Parameters<buildConnector.Callback>[1], null>;

interface Spare {
  readonly openedAt: number;
  /** Hands the socket over; `undefined` once a byte or a FIN arrived, or it closed. */
  take(): Socket | undefined;
  discard(): void;
}

export interface OrderLaneOptions {
  readonly origin: URL;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Connections opened ahead after each request, for the next ones. */
  readonly spares: number;
  /** A spare older than this is not used: servers close idle connections, and a close crosses a request. */
  readonly maxAgeMs: number;
  readonly connectTimeoutMs: number;
  readonly maxResponseBytes: number;
}

/**
 * Every request on a connection of its own that carried none before: the race between a server that closes an idle
 * connection and an order on its way cannot happen, and undici has nothing to send again on.
 */
export class OrderLane {
  readonly #options: OrderLaneOptions;
  readonly #connector: buildConnector.connector;
  readonly #spares = new Set<Spare>();
  readonly #busy = new Set<Client>();
  #opening = 0;
  #closed = false;

  constructor(options: OrderLaneOptions) {
    this.#options = options;
    this.#connector = buildConnector({ timeout: options.connectTimeoutMs, allowH2: false });
  }

  async send(exchange: HttpExchange, request: HttpRequest, path: string): Promise<void> {
    let socket: Socket;
    try {
      socket = this.#takeSpare() ?? (await this.#connect());
    } catch (error) {
      exchange.failedToStart(error as Error);
      return;
    }
    if (exchange.settled || this.#closed) {
      socket.destroy();
      exchange.failedToStart(new Error('closed'));
      return;
    }
    await this.#sendOn(socket, exchange, request, path);
  }

  close(): void {
    this.#closed = true;
    for (const spare of this.#spares) spare.discard();
    this.#spares.clear();
    for (const client of this.#busy) void client.destroy();
  }

  async #sendOn(socket: Socket, exchange: HttpExchange, request: HttpRequest, path: string): Promise<void> {
    const connections: Socket[] = [socket];
    const client = new Client(this.#options.origin, {
      pipelining: 0,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: this.#options.maxResponseBytes,
      connect: (_options, callback) => void giveLater(connections.pop(), callback),
    });
    this.#busy.add(client);
    try {
      const { method, headers, body } = request;
      client.dispatch({ path, method, headers, ...(body === undefined ? {} : { body }) }, exchange);
      this.#openSpares();
      await exchange.response.catch(() => undefined);
    } catch (error) {
      exchange.failedToStart(error as Error);
    } finally {
      this.#busy.delete(client);
      await client.destroy();
      socket.destroy();
    }
  }

  #takeSpare(): Socket | undefined {
    for (const spare of this.#spares) {
      this.#spares.delete(spare);
      const age = this.#options.clock.monotonic() - spare.openedAt;
      const socket = age <= this.#options.maxAgeMs ? spare.take() : undefined;
      if (socket !== undefined) return socket.ref();
      spare.discard();
    }
    return undefined;
  }

  #openSpares(): void {
    for (let missing = this.#options.spares - this.#spares.size - this.#opening; missing > 0; missing--) {
      this.#opening++;
      this.#connect()
        .then((socket) => this.#keep(socket))
        .catch(() => undefined) // the next request opens its own and says why it cannot
        .finally(() => this.#opening--);
    }
  }

  #keep(socket: Socket): void {
    if (this.#closed) {
      socket.destroy();
      return;
    }
    let clean = true;
    const spoil = () => {
      clean = false;
      socket.destroy();
    };
    // A spare hears nothing before its request: a byte, a FIN or an error ends it.
    socket.unref().on('readable', spoil).on('end', spoil).on('close', spoil);
    const cancelExpiry = this.#options.timers.after(this.#options.maxAgeMs, () => {
      this.#spares.delete(spare);
      spare.discard();
    });
    const letGo = () => {
      cancelExpiry();
      socket.off('readable', spoil).off('end', spoil).off('close', spoil);
    };
    const spare: Spare = {
      openedAt: this.#options.clock.monotonic(),
      take() {
        letGo();
        return clean && !socket.destroyed && socket.readableLength === 0 ? socket : undefined;
      },
      discard() {
        letGo();
        socket.destroy();
      },
    };
    this.#spares.add(spare);
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

/** In a later microtask: undici does not look at its queue again when a connector answers at once. */
async function giveLater(socket: Socket | undefined, callback: buildConnector.Callback): Promise<void> {
  await Promise.resolve();
  if (socket === undefined) callback(new Error('an order goes out on one connection only'), null);
  else callback(null, socket);
}
