/** What the venue says of the account, read past its faults by somebody who has time. */
import { createVenueClient, type VenueClient } from '../../../src/client/client.js';
import { undiciTransport } from '../../../src/client/transport.js';
import { seededRandom } from '../../../src/model/random.js';
import type { FillRecord } from '../../../src/model/venue-records.js';
import { systemClock } from '../../../src/platform/clock.js';
import { systemTimers } from '../../../src/platform/timers.js';
import { sleep } from '../../../src/ports/clock.js';
import type { HttpTransport } from '../../../src/ports/http.js';
import { SILENT } from '../../../src/ports/log.js';
import { KEY, PAIR, PROFILE, SECRET } from './scene.js';
import type { SeenOrder, VenueBooks } from './stop-audit.js';

const TRIES = 60;
const PAUSE_MS = 200;
const MOST_ROWS = PROFILE.maxLimit;
/** Longest period that is asked for at once, ms. */
const SPAN_MS = 600_000;

export class Truth {
  /** Orders of the account that were ever seen: the tag of each; '' for none. */
  readonly tags = new Map<string, string>();
  /** The same orders as they were seen last. */
  readonly orders = new Map<string, SeenOrder>();
  readonly #api: VenueClient;
  readonly #transport: HttpTransport;
  readonly #startedAt = systemClock.wall() - 60_000;

  constructor(baseUrl: string) {
    const parts = { clock: systemClock, timers: systemTimers };
    this.#transport = undiciTransport({ ...parts, baseUrl, environment: {} });
    this.#api = createVenueClient({
      ...parts,
      baseUrl,
      profile: PROFILE,
      transport: this.#transport,
      credentials: { apiKey: KEY, apiSecret: SECRET },
      random: seededRandom('truth'),
      log: SILENT,
    });
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  /** Takes in all orders that were changed since `from`, wall ms; default: all there are. */
  async look(from = this.#startedAt): Promise<void> {
    const rows = await this.#all(from, (query) => this.#api.orders('all', query));
    for (const { id, oco: tag = '', side, filledQuantity } of rows) {
      this.tags.set(id, tag);
      this.orders.set(id, { tag, side, filledQuantity });
    }
  }

  /** Ids of working orders. */
  async active(): Promise<readonly string[]> {
    const rows = await asked(() => this.#api.orders('active', { pair: PAIR, limit: MOST_ROWS }));
    return rows.map(({ id }) => id);
  }

  async fills(): Promise<readonly FillRecord[]> {
    return this.#all(this.#startedAt, (query) => this.#api.fills(query));
  }

  /** With all that was ever ordered. */
  async books(): Promise<VenueBooks> {
    const [active, fills, position] = [await this.active(), await this.fills(), await this.position()];
    await this.look();
    return { active, fills, position, orders: this.orders };
  }

  /** Base units, signed. */
  async position(): Promise<number> {
    return (await asked(() => this.#api.position(PAIR))).size;
  }

  /** The newest rows of a list come first, and only so many: a period with too many is asked for in halves. */
  async #all<Row extends { readonly id: string }>(
    from: number,
    list: (query: {
      readonly pair: string;
      readonly from: number;
      readonly to: number;
      readonly limit: number;
    }) => Promise<readonly Row[]>,
    to = systemClock.wall() + 60_000,
  ): Promise<readonly Row[]> {
    const found = new Map<string, Row>();
    const periods: (readonly [from: number, to: number])[] = [];
    for (let start = Math.floor(from); start <= to; start += SPAN_MS) {
      periods.push([start, Math.min(Math.ceil(to), start + SPAN_MS)]);
    }
    for (let period = periods.pop(); period !== undefined; period = periods.pop()) {
      const [start, end] = period;
      const rows = await asked(() => list({ pair: PAIR, from: start, to: end, limit: MOST_ROWS }));
      for (const row of rows) found.set(row.id, row);
      if (rows.length < MOST_ROWS || end <= start) continue;
      const middle = Math.floor((start + end) / 2);
      periods.push([start, middle], [middle + 1, end]);
    }
    return [...found.values()];
  }
}

/** Reads are free: again, until an answer comes. */
async function asked<T>(read: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left--) {
    try {
      return await read();
    } catch (error) {
      if (left === 0) throw error;
      await sleep(systemTimers, PAUSE_MS);
    }
  }
}
