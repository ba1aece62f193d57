/** A door before the venue: it counts what comes, and when, and loses or refuses what a test wants lost. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Arrival {
  readonly at: number;
  readonly method: string;
  readonly path: string;
}

/** What becomes of one request: it is passed on · it never arrives · it arrives and its answer is lost · it is refused. */
export type Fate = 'pass' | 'lost' | 'unanswered' | 'unavailable';

export class VenueDoor {
  readonly arrivals: Arrival[] = [];
  fate: (arrival: Arrival) => Fate = () => 'pass';
  readonly #server = createServer((incoming, outgoing) => void this.#take(incoming, outgoing));
  readonly #venue: URL;
  #passing = 0;

  private constructor(venue: string) {
    this.#venue = new URL(venue);
  }

  static async open(venue: string): Promise<VenueDoor> {
    const door = new VenueDoor(venue);
    await new Promise<void>((resolve) => door.#server.listen(0, '127.0.0.1', resolve));
    return door;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Arrivals of a kind from a moment on. */
  since(at: number, path: RegExp): readonly Arrival[] {
    return this.arrivals.filter(
      (arrival) => arrival.at >= at && path.test(`${arrival.method} ${arrival.path}`),
    );
  }

  /** Resolves to whether all that came has been answered, and nobody is connected from whom more could come. */
  async isQuiet(): Promise<boolean> {
    const connections = await new Promise<number>((resolve) =>
      this.#server.getConnections((_, count) => resolve(count)),
    );
    return connections === 0 && this.#passing === 0;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url = '' } = incoming;
    const arrival = { at: performance.now(), method, path: url.split('?')[0] ?? '' };
    this.arrivals.push(arrival);
    const parts: Buffer[] = [];
    try {
      for await (const part of incoming) parts.push(part as Buffer);
    } catch {
      // Who sent it was killed in the middle of it.
      return;
    }
    const fate = this.fate(arrival);
    if (fate === 'lost') {
      incoming.socket.destroy();
      return;
    }
    if (fate === 'unavailable') {
      outgoing.writeHead(503, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ code: 503, msg: 'unavailable', result: null }));
      return;
    }
    const { hostname, port } = this.#venue;
    this.#passing++;
    const passed = request(
      { hostname, port, method, path: url, headers: incoming.headers, agent: false },
      (answer) => {
        if (fate === 'unanswered') {
          answer.resume();
          incoming.socket.destroy();
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => incoming.socket.destroy());
    passed.once('close', () => this.#passing--);
    passed.end(Buffer.concat(parts));
  }
}

/** Numbers in [0, 1) that are the same each time. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
