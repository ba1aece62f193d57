import type { AccountShare } from '../model/event.js';
import type { NotedByOthers } from '../runner/inherited-baseline.js';
import { AccountTrips } from './account-trips.js';
import type { DaemonSession } from './daemon-session.js';

type Sharing = Pick<
  DaemonSession,
  'core' | 'others' | 'openOrders' | 'booked' | 'doubts' | 'block' | 'noted'
>;

/** What the venue says of a pair while no session runs on it. */
export interface Holding {
  /** The asset of the amounts. */
  readonly quote: string;
  /** Largest |position| that open orders may lead to × mark, in `quote`. */
  readonly notional: number;
  readonly openOrders: number;
  /** P&L of the open position, at the mark. */
  readonly open: number;
  /** Mark price; `undefined` when the pair holds nothing. */
  readonly mark: number | undefined;
}

/** A pair of the account, whose sessions come and go. */
export interface Seat {
  readonly entry: { readonly pair: string; readonly beginsAnew?: boolean | undefined };
  readonly session: Sharing | undefined;
  readonly isRunning: boolean;
  /** The venue's recent answer; `undefined` when it was not asked, or when the answer is outdated. */
  readonly holding?: Holding | undefined;
  /** Own orders that are left of the session, whose end is over; its books know of no later cancel. */
  readonly leftOpen?: readonly string[] | undefined;
}

/** What is known of a pair over all of its sessions. */
interface PairAccount {
  /**
   * The newest session that has been live, and so knows what the pair holds. Its last figures count until a newer one is
   * live.
   */
  session: Sharing | undefined;
  isRunning: boolean;
  /** The newest session; it may not be live yet. */
  newest: Sharing | undefined;
  holding: Holding | undefined;
  leftOpen: readonly string[] | undefined;
  /**
   * Sum settled by earlier sessions, quote units. Where the next session begins anew, their open P&L at the end is in it
   * too.
   */
  settledBefore: number;
  /** What was settled by the newest look, and venue ms of the newest event that may have settled it; NaN before one. */
  settled: number;
  settledAt: number;
  /** Venue ms at which the account's cash was read for this pair. */
  cashAsOf: number;
  /**
   * What each other pair had settled when that cash was read: the cash contains it, so the pair's session must not count
   * it again.
   */
  readonly inCash: Map<string, number>;
}

/** The contribution of one pair to the share that the others are told. */
interface Part {
  readonly quote: string | undefined;
  readonly notional: number;
  readonly openOrders: number;
  readonly open: number;
}

/** Bound on rounds of one refresh: two sessions that keep reacting to each other are told the rest at the next look. */
const MOST_ROUNDS = 8;

/**
 * Keeps several sessions within the limits of one account: before each decision a session is told what the others hold,
 * also across replacements of sessions. Money of different quote assets is not added up; orders are counted over all
 * pairs. Until the holdings of every pair are known, no other pair may add risk.
 */
export class AccountShares {
  readonly #seats: () => readonly Seat[];
  readonly #accounts = new Map<string, PairAccount>();
  readonly #trips = new AccountTrips();
  readonly #told = new WeakMap<Sharing, AccountShare>();
  readonly #blocked = new WeakMap<Sharing, string>();
  #telling = false;
  /** A session has decided something since the present round began, so the round's figures are outdated. */
  #isOld = false;

  constructor(seats: () => readonly Seat[]) {
    this.#seats = seats;
  }

  /** A session that begins on `pair` read the account's cash as of this venue ms; its P&L counts from that. */
  cashRead(pair: string, asOf: number): void {
    this.#look();
    const reader = this.#of(pair);
    reader.cashAsOf = asOf;
    reader.inCash.clear();
    for (const [other, { settled }] of this.#accounts) reader.inCash.set(other, settled);
  }

  /** From which equities the sessions on the other pairs count, for a session that begins on `pair`. */
  noted(pair: string, asset: string): NotedByOthers {
    this.#look();
    const baselines = [...this.#accounts].flatMap(([name, { session, isRunning }]) => {
      if (name === pair || session?.core.engine.market.quote !== asset) return [];
      const noted = session.noted();
      if (noted === undefined) return [];
      // The highest equity of one that has ended may be that of before a resume.
      const { memory: _, ...day } = noted;
      return [isRunning ? noted : day];
    });
    return { baselines, isResumed: this.#trips.isResumed };
  }

  /**
   * Must be called before a session of `pair` handles a fill of this venue ms, or a position as of it: the venue states
   * funding with it.
   */
  settles(pair: string, time: number): void {
    this.#look();
    this.#of(pair).settledAt = time;
  }

  /** Must be called before the sessions are resumed: the first of them must not be told of a fall of the next. */
  resumed(): void {
    this.#look();
    this.#trips.resumed();
  }

  /**
   * Tells each session what has changed for it. Must be called after every decision of any session, and when one begins.
   */
  refresh(): void {
    // A session that is told may decide something, which calls `refresh` again: then the others are told once more.
    this.#isOld = true;
    if (this.#telling) return;
    this.#telling = true;
    try {
      for (let rounds = 0; this.#isOld && rounds < MOST_ROUNDS; rounds++) this.#tellAll();
    } finally {
      this.#telling = false;
    }
  }

  #tellAll(): void {
    this.#isOld = false;
    this.#look();
    for (const { entry, session, isRunning } of this.#seats()) {
      if (session !== undefined && isRunning) this.#tell(entry.pair, session);
    }
  }

  #look(): void {
    for (const { entry, session, isRunning, holding, leftOpen } of this.#seats()) {
      const account = this.#of(entry.pair);
      const isNewer = session !== undefined && session !== account.session && session.core.isLive;
      if (isNewer) {
        account.settledBefore = settledOf(account) + (entry.beginsAnew === true ? openOf(account) : 0);
        account.session = session;
      }
      account.isRunning = isRunning && session === account.session;
      account.newest = session;
      account.holding = holding;
      account.leftOpen = leftOpen;
      this.#settle(entry.pair, account);
      if (session !== undefined) this.#trips.look(entry.pair, session);
    }
  }

  /** Notes what the newest event settled. If the venue knew of it before a cash was read, that cash contains it. */
  #settle(pair: string, account: PairAccount): void {
    const settled = settledOf(account);
    const change = settled - account.settled;
    account.settled = settled;
    if (change === 0) return;
    for (const { cashAsOf, inCash } of this.#accounts.values()) {
      if (account.settledAt <= cashAsOf) inCash.set(pair, (inCash.get(pair) ?? 0) + change);
    }
  }

  #of(pair: string): PairAccount {
    let account = this.#accounts.get(pair);
    if (account === undefined) {
      account = {
        session: undefined,
        isRunning: false,
        newest: undefined,
        holding: undefined,
        leftOpen: undefined,
        settledBefore: 0,
        settled: 0,
        settledAt: Number.NaN,
        cashAsOf: Number.NEGATIVE_INFINITY,
        inCash: new Map(),
      };
      this.#accounts.set(pair, account);
    }
    return account;
  }

  #tell(pair: string, session: Sharing): void {
    const { quote } = session.core.engine.market;
    const { inCash } = this.#of(pair);
    let [notional, openOrders, pnl] = [0, 0, 0];
    const unknown: string[] = [];
    for (const [name, account] of this.#accounts) {
      if (name === pair) continue;
      const part = partOf(account);
      if (part === undefined) unknown.push(name);
      openOrders += part?.openOrders ?? 0;
      if (part?.quote !== quote) continue;
      notional += part.notional;
      pnl += account.settled - (inCash.get(name) ?? 0) + part.open;
    }
    // A block comes before the share while a holding is unknown, and is lifted after it: the session never acts on a
    // wrong share.
    if (unknown.length > 0) this.#block(session, unknownText(unknown));
    const trips = this.#trips.besides(pair, quote);
    this.#tellShare(session, { notional, openOrders, pnl: unknown.length > 0 ? undefined : pnl, ...trips });
    if (unknown.length === 0) this.#block(session, undefined);
  }

  #tellShare(session: Sharing, news: AccountShare): void {
    const told = this.#told.get(session) ?? NOTHING;
    if (SHARED.every((name) => told[name] === news[name])) return;
    this.#told.set(session, news);
    session.others(news);
  }

  #block(session: Sharing, reason: string | undefined): void {
    if (this.#blocked.get(session) === reason) return;
    if (reason === undefined) this.#blocked.delete(session);
    else this.#blocked.set(session, reason);
    session.block(reason);
  }
}

/** The pair's contribution; `undefined`: its holdings are not known yet. */
function partOf({ session, isRunning, newest, holding, leftOpen }: PairAccount): Part | undefined {
  if (session === undefined) return holding ?? (newest === undefined ? undefined : booked(newest));
  const { engine, risk } = session.core;
  const { share, market, markPrice } = risk;
  const { quote } = market;
  // A quiet market has no trade in the warm-up, and its ticker comes later: until then the position has no value.
  if (markPrice === undefined && engine.position.lots !== 0) return isRunning ? undefined : holding;
  if (isRunning) return { quote, ...share };
  // An ended session gets no more reports and prices, so the venue's answer replaces its figures where there is one.
  const openOrders = (leftOpen ?? session.openOrders()).length;
  if (holding === undefined) return { quote, ...share, openOrders };
  const { notional, mark } = holding;
  if (mark === undefined || markPrice === undefined) return { quote, notional, openOrders, open: share.open };
  const quantity = engine.position.lots / market.quantityGrid.scale;
  return { quote, notional, openOrders, open: share.open + quantity * (mark - markPrice) };
}

/** The contribution of a session that is not live yet: known only if its books say that it holds nothing. */
function booked(session: Sharing): Part | undefined {
  const holdsNothing = session.booked() === 0 && session.openOrders().length === 0 && session.doubts() === 0;
  return holdsNothing ? HELD_NOTHING : undefined;
}

const HELD_NOTHING: Part = { quote: undefined, notional: 0, openOrders: 0, open: 0 };

function unknownText(pairs: readonly string[]): string {
  const [holds, counts] = pairs.length === 1 ? ['holds', 'it counts'] : ['hold', 'they count'];
  return `what ${pairs.join(' and ')} ${holds} is not known yet, and ${counts} towards the limits of the account`;
}

const SHARED = ['notional', 'openOrders', 'pnl', 'lostUntil', 'fell'] as const;

/** The share that a session assumes before it is told one. */
const NOTHING: AccountShare = { notional: 0, openOrders: 0, pnl: 0 };

/** Open P&L at the last mark that the newest live session knew, quote units. */
function openOf({ session }: PairAccount): number {
  return session?.core.risk.share.open ?? 0;
}

/** What all sessions of the pair have settled, quote units. */
function settledOf({ session, settledBefore }: PairAccount): number {
  return settledBefore + (session?.core.risk.share.settled ?? 0);
}
