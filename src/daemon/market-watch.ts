/**
 * A session is told its market once. Whether the venue still takes such orders is asked here, each minute
 * (`reliability.md` row 31): a session whose filters have changed begins anew, with those of now.
 */
import type { Market } from '../model/market.js';
import type { CancelTimer, Clock, Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import { filterChange } from './market-change.js';

export interface MarketWatchOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timers: Timers;
  readonly log: Pick<Log, 'debug' | 'warn'>;
  /** The markets that sessions go by now. */
  readonly running: () => readonly Market[];
  /** Those of the venue, by pair. */
  readonly list: () => Promise<ReadonlyMap<string, Market>>;
  /**
   * Begins the session of a pair anew; false where that cannot be now. Absent on paper, where a session that begins anew
   * holds nothing.
   */
  readonly renew?: ((pair: string, why: string) => boolean) | undefined;
}

const LOOK_MS = 60_000;
/** One answer may be an old one, out of a cache of the venue's: the next must say the same. */
const AGAIN_MS = 5_000;
/**
 * A venue that goes to and fro must not keep a pair from trading: each renewal of a pair waits twice as long after the one
 * before as that did, up to a day.
 */
const FIRST_WAIT_MS = 600_000;
const LONGEST_WAIT_MS = 86_400_000;

interface Renewal {
  readonly at: number;
  /** None follows earlier than so long after it, ms. */
  readonly waitMs: number;
}

export class MarketWatch {
  readonly #options: MarketWatchOptions;
  #problems: ReadonlyMap<string, string> = new Map();
  /** What the newest answer was the first one to say, by pair. */
  #changes: ReadonlyMap<string, string> = new Map();
  readonly #renewals = new Map<string, Renewal>();
  #cancel: CancelTimer = () => undefined;
  #isStopped = false;

  constructor(options: MarketWatchOptions) {
    this.#options = options;
    this.#lookIn(LOOK_MS);
  }

  /** As of the newest answer, in words. */
  get problems(): readonly string[] {
    return [...this.#problems.values()];
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  #lookIn(ms: number): void {
    if (this.#isStopped) return;
    this.#cancel = this.#options.timers.after(ms, () => {
      void this.#look().then((isSure) => this.#lookIn(isSure ? LOOK_MS : AGAIN_MS));
    });
  }

  /** Resolves to whether nothing has to be asked again. */
  async #look(): Promise<boolean> {
    const { list, running, log } = this.#options;
    let listed: ReadonlyMap<string, Market>;
    try {
      listed = await list();
    } catch (error) {
      // A venue that does not answer is everybody's problem, and told as one.
      log.debug('the markets of the venue cannot be read', { error: String(error) });
      return true;
    }
    if (this.#isStopped) return true;
    const problems = new Map<string, string>();
    const changes = new Map<string, string>();
    for (const market of running()) {
      const { pair } = market;
      const now = listed.get(pair);
      if (now === undefined) problems.set(pair, `${pair} is not among the markets of the venue any more`);
      else if (!now.active) problems.set(pair, `${pair}: the venue says that it takes no orders there now`);
      const change = now && filterChange(market, now);
      if (change === undefined) continue;
      changes.set(pair, change);
      if (this.#changes.get(pair) !== change || this.#renewed(pair, change)) continue;
      problems.set(
        pair,
        `${pair}: the venue has changed what it takes (${change}); a new start goes by that`,
      );
    }
    const isSure = [...changes].every(([pair, change]) => this.#changes.get(pair) === change);
    this.#problems = problems;
    this.#changes = changes;
    return isSure;
  }

  #renewed(pair: string, change: string): boolean {
    const { renew, clock, log } = this.#options;
    const now = clock.monotonic();
    const last = this.#renewals.get(pair);
    if (renew === undefined || (last !== undefined && now - last.at < last.waitMs)) return false;
    if (!renew(pair, `the venue has changed what it takes: ${change}`)) return false;
    const waitMs = last === undefined ? FIRST_WAIT_MS : Math.min(2 * last.waitMs, LONGEST_WAIT_MS);
    this.#renewals.set(pair, { at: now, waitMs });
    log.warn('the filters of a market have changed: its session begins anew', { pair, change });
    return true;
  }
}
