/** A venue behind a fault plan on a loopback socket, in virtual time, and the project's own transport to it. */
import { createHmac } from 'node:crypto';
import { undiciTransport } from '../../../src/client/transport.js';
import type { FaultEffect, FaultRule } from '../../../src/model/fault-rule.js';
import { HttpFailure, type HttpResponse } from '../../../src/ports/http.js';
import {
  startVenueServer,
  type VenueServer,
  type VenueServerOptions,
} from '../../../src/venue/http/server.js';
import { ANNA, BERT, bookCore, PAIR } from './desk.js';
import { VirtualTime } from './virtual-time.js';

export const DEADLINE_MS = 10_000;
export const BUY = `pair=${PAIR}&side=BUY&qty=0.5&price=50000`;

type Who = typeof ANNA | typeof BERT;

/** What a client can tell about a request. */
export type Seen =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: string;
      readonly headers: HttpResponse['headers'];
    }
  | { readonly kind: 'failure'; readonly reason: HttpFailure['reason']; readonly sent: boolean };

export function rule(effect: FaultEffect, parts: Partial<Omit<FaultRule, 'effect'>> = {}): FaultRule {
  return { name: effect.kind, place: {}, when: {}, ...parts, effect };
}

export const AT_ORDERS = { place: { paths: ['/auth/order'] } };

export class FaultyServer {
  readonly server: VenueServer;
  /** Of the venue and its sockets. */
  readonly time: VirtualTime;
  /** Of the client's deadlines. */
  readonly clientTime = new VirtualTime();
  readonly #transport: ReturnType<typeof undiciTransport>;

  private constructor(server: VenueServer, time: VirtualTime) {
    this.server = server;
    this.time = time;
    this.#transport = undiciTransport({
      baseUrl: server.url,
      clock: this.clientTime,
      timers: this.clientTime,
      environment: {},
    });
  }

  static async start(
    rules: readonly FaultRule[],
    options: Partial<VenueServerOptions> = {},
  ): Promise<FaultyServer> {
    const time = new VirtualTime();
    const server = await startVenueServer({
      core: bookCore(),
      drivers: [],
      clock: time,
      timers: time,
      accounts: [ANNA, BERT],
      port: 0,
      faults: { seed: 1, rules },
      ...options,
    });
    return new FaultyServer(server, time);
  }

  async close(): Promise<void> {
    await this.#transport.close();
    await this.server.close();
  }

  /** Sends a request and tells what came of it. The client's deadline is of virtual time: somebody must move that. */
  async send(method: 'GET' | 'POST', path: string, who?: Who, body?: string): Promise<Seen> {
    const signature =
      who === undefined || body === undefined
        ? {}
        : {
            'x-signature': createHmac('sha256', who.secret).update(body).digest('base64'),
            'content-type': 'application/x-www-form-urlencoded',
          };
    try {
      const {
        status,
        body: text,
        headers,
      } = await this.#transport.exchange({
        method,
        url: `${this.server.url}${path}`,
        headers: { ...(who === undefined ? {} : { 'x-api-key': who.key }), ...signature },
        ...(body === undefined ? {} : { body }),
        deadlineMs: DEADLINE_MS,
      });
      return { kind: 'answer', status, body: text, headers };
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error;
      return { kind: 'failure', reason: error.reason, sent: error.sent };
    }
  }

  post(body = BUY, who: Who = ANNA, path = '/auth/order'): Promise<Seen> {
    return this.send('POST', path, who, body);
  }

  /** The result of a read that must succeed. */
  async read<T>(path: string, who: Who = ANNA): Promise<T> {
    const seen = await this.send('GET', path, who);
    if (seen.kind !== 'answer' || seen.status !== 200) {
      throw new Error(`a read must be answered here, received ${JSON.stringify(seen)}`);
    }
    return (JSON.parse(seen.body) as { readonly result: T }).result;
  }

  /** The number of orders the venue has of anna's: what really happened. */
  async orders(): Promise<number> {
    return (await this.read<readonly unknown[]>('/orders')).length;
  }

  /** Sends what gets no answer, and lets the client's deadline pass once the venue has decided about it. */
  async postInVain(body = BUY): Promise<Seen> {
    const before = this.decisions;
    const seen = this.post(body);
    await until(() => this.decisions > before);
    this.clientTime.advance(DEADLINE_MS);
    return seen;
  }

  get decisions(): number {
    return this.server.faults?.log.length ?? 0;
  }
}

/** Lets I/O go on until something is so. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; !holds(); turn++) {
    if (turn > 100_000) throw new Error('it must become so, received nothing of the kind');
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
