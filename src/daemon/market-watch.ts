/**
 * A session reads its market only when it starts. This watch asks each minute whether the venue still accepts such orders
 * (`reliability.md` row 31), and restarts a session whose filters have changed, so that it uses the new ones. Of other fees,
 * and of other terms of positions, it only tells: fills carry their fees, and a position its margin and liquidation price.
 */
import type { Market } from '../model/market.js';
import type { CancelTimer, Clock, Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import { feeChange, filterChange, positionTermChange } from './market-change.js';

export interface MarketWatchOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timers: Timers;
  readonly log: Pick<Log, 'debug' | 'warn'>;
  /** The markets as the running sessions know them. */
  readonly running: () => readonly Market[];
  /** The venue's markets at present, by pair. Must give up on `over`, or it keeps the process alive. */
  readonly list: (over: AbortSignal) => Promise<ReadonlyMap<string, Market>>;
  /**
   * Restarts the session of a pair; returns false when that is not possible at present. Absent on paper, where a restart
   * would lose the position.
   */
  readonly renew?: ((pair: string, why: string) => boolean) | undefined;
  /** Tells a person, once, what nothing is done about. */
  readonly tell: (pair: string, text: string) => void;
}

const LOOK_MS = 60_000;
/** A single answer may come from an outdated cache of the venue: only a second one that agrees counts. */
const AGAIN_MS = 5_000;
/**
 * Shortest time between two restarts of a pair: filters that keep changing back and forth must not keep it from trading.
 * It doubles with each restart of the pair, up to a day.
 */
const FIRST_WAIT_MS = 600_000;
const LONGEST_WAIT_MS = 86_400_000;

interface Renewal {
  readonly at: number;
  /** None follows earlier than so long after it, ms. */
  readonly waitMs: number;
}

/** Facts of a market whose changes are told. */
interface Topic {
  /** With it the pair makes a key. */
  readonly key: string;
  readonly name: string;
  readonly change: (before: Market, now: Market) => string | undefined;
  /** What a change means for a session that knows the earlier ones. */
  readonly live: string;
  readonly paper: string;
}

const TOPICS: readonly Topic[] = [
  {
    key: 'fees',
    name: 'fees',
    change: feeChange,
    live: 'fills pay these, and the strategy knows them from its next start on',
    paper: 'fills on paper pay these from the next start on',
  },
  {
    key: 'terms',
    name: 'terms of positions',
    change: positionTermChange,
    live: 'the position is held to these, and the ledger knows them from the next start on',
    paper: 'a position on paper is held to these from the next start on',
  },
];

export class MarketWatch {
  readonly #options: MarketWatchOptions;
  #problems: ReadonlyMap<string, string> = new Map();
  /**
   * Changes that the newest answer showed: of filters by pair, of other facts by `keyOf`. Only a change that two answers
   * in a row show is acted on.
   */
  #changes: ReadonlyMap<string, string> = new Map();
  readonly #renewals = new Map<string, Renewal>();
  /** By `keyOf`: the market with the facts that were told last, at first those of the first session. */
  readonly #told = new Map<string, Market>();
  #cancel: CancelTimer = () => undefined;
  readonly #over = new AbortController();

  constructor(options: MarketWatchOptions) {
    this.#options = options;
    this.#lookIn(LOOK_MS);
  }

  /** Problems by the newest answer, in words. */
  get problems(): readonly string[] {
    return [...this.#problems.values()];
  }

  stop(): void {
    this.#over.abort(new Error('stopped'));
    this.#cancel();
  }

  #lookIn(ms: number): void {
    if (this.#over.signal.aborted) return;
    this.#cancel = this.#options.timers.after(ms, () => {
      void this.#look()
        .catch((error: unknown) => {
          this.#options.log.warn('the markets of the venue cannot be compared', { error: String(error) });
          return true;
        })
        .then((isSure) => this.#lookIn(isSure ? LOOK_MS : AGAIN_MS));
    });
  }

  /** Resolves to true when no change has to be confirmed by a second answer soon. */
  async #look(): Promise<boolean> {
    const { list, running, log } = this.#options;
    let listed: ReadonlyMap<string, Market>;
    try {
      listed = await list(this.#over.signal);
    } catch (error) {
      // Other parts report a venue that does not answer, once for all pairs.
      log.debug('the markets of the venue cannot be read', { error: String(error) });
      return true;
    }
    if (this.#over.signal.aborted) return true;
    const problems = new Map<string, string>();
    const changes = new Map<string, string>();
    for (const market of running()) {
      const { pair } = market;
      const now = listed.get(pair);
      if (now === undefined) problems.set(pair, `${pair} is not among the markets of the venue any more`);
      else if (!now.active) problems.set(pair, `${pair}: the venue says that it takes no orders there now`);
      for (const topic of TOPICS) {
        const problem = now && this.#lookAt(topic, market, now, changes);
        if (problem !== undefined) problems.set(keyOf(topic, pair), problem);
      }
      const change = now && filterChange(market, now);
      if (change === undefined) continue;
      changes.set(pair, change);
      if (this.#changes.get(pair) !== change || this.#renewed(pair, change)) continue;
      problems.set(
        pair,
        `${pair}: the venue has changed what it takes (${change}); a new start goes by that`,
      );
    }
    const isSure = [...changes].every(([of, change]) => this.#changes.get(of) === change);
    this.#problems = problems;
    this.#changes = changes;
    return isSure;
  }

  /** Tells a change that two answers in a row show. Returns the problem of a session that knows other facts. */
  #lookAt(topic: Topic, market: Market, now: Market, changes: Map<string, string>): string | undefined {
    const { pair } = market;
    const key = keyOf(topic, pair);
    const told = this.#told.get(key) ?? market;
    const change = topic.change(told, now);
    const isSure = change === undefined || this.#changes.get(key) === change;
    this.#told.set(key, isSure ? now : told);
    if (change !== undefined) changes.set(key, change);
    if (!isSure) return undefined;
    const differs = topic.change(market, now);
    if (change !== undefined) {
      this.#options.tell(pair, this.#text(topic, pair, change, differs !== undefined));
    }
    return differs && this.#text(topic, pair, differs, true);
  }

  #text({ name, live, paper }: Topic, pair: string, change: string, isNews: boolean): string {
    const said = `${pair}: the venue has changed its ${name} (${change})`;
    if (!isNews) return said;
    return `${said}; ${this.#options.renew === undefined ? paper : live}`;
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

function keyOf({ key }: Topic, pair: string): string {
  return `${key} ${pair}`;
}
