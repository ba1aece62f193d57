import type { AccountShare } from '../model/event.js';
import type { DaemonSession } from './daemon-session.js';

type Sharing = Pick<DaemonSession, 'core' | 'others' | 'openOrders' | 'booked' | 'doubts' | 'block'>;

/** What the venue says of a pair while no session does. */
export interface Holding {
  /** The asset of the amounts. */
  readonly quote: string;
  /** Largest |position| that may come about × mark. */
  readonly notional: number;
  readonly openOrders: number;
  /** Of the open position, at the mark. */
  readonly open: number;
  /** `undefined` where nothing is held. */
  readonly mark: number | undefined;
}

/** A pair of the account, whose sessions come and go. */
export interface Seat {
  readonly entry: { readonly pair: string; readonly beginsAnew?: boolean | undefined };
  readonly session: Sharing | undefined;
  readonly isRunning: boolean;
  /** Where the venue was asked, and not long ago. */
  readonly holding?: Holding | undefined;
}

/** What is known of a pair over all of its sessions. */
interface PairAccount {
  /** The newest one that knows what the pair holds: what it said last counts until there is a newer one. */
  session: Sharing | undefined;
  isRunning: boolean;
  /** One that may not know it yet. */
  newest: Sharing | undefined;
  holding: Holding | undefined;
  /** What the sessions before it had settled, or where the next one begins anew also had open at their end, quote units. */
  settledBefore: number;
  /** What was settled by the newest look, and venue ms of the newest fill that was heard of by then; NaN before one. */
  settled: number;
  filledAt: number;
  /** Venue ms at which the account's cash was read for this pair. */
  cashAsOf: number;
  /** What the other pairs had settled by then, by fills that were heard of before or since: it is in that cash. */
  readonly inCash: Map<string, number>;
}

/** What a pair adds to what the others are told. */
interface Part {
  readonly quote: string | undefined;
  readonly notional: number;
  readonly openOrders: number;
  readonly open: number;
}

/** Two that answer each other for ever have the rest at the next look. */
const MOST_ROUNDS = 8;

/**
 * Lets several sessions stay within the limits of one account: each is told what the others have, before it decides
 * anything that comes after it, and whichever of them is replaced meanwhile. Money of different quote assets is not
 * added up; orders are counted over all. Until it is known what each pair holds, none of the others adds risk.
 */
export class AccountShares {
  readonly #seats: () => readonly Seat[];
  readonly #accounts = new Map<string, PairAccount>();
  readonly #told = new WeakMap<Sharing, AccountShare>();
  readonly #blocked = new WeakMap<Sharing, string>();
  #telling = false;
  /** Somebody has decided something since the round began that is under way. */
  #isOld = false;

  constructor(seats: () => readonly Seat[]) {
    this.#seats = seats;
  }

  /** The session that begins on a pair counts from the account's cash as it was then, venue ms. */
  cashRead(pair: string, asOf: number): void {
    this.#look();
    const reader = this.#of(pair);
    reader.cashAsOf = asOf;
    reader.inCash.clear();
    for (const [other, { settled }] of this.#accounts) reader.inCash.set(other, settled);
  }

  /** A session of this pair hears now of a fill at this venue ms. To be called before it takes it in. */
  filled(pair: string, time: number): void {
    this.#look();
    this.#of(pair).filledAt = time;
  }

  /** Tells each what has changed for it. To be called after every decision of any of them, and when one begins. */
  refresh(): void {
    // What one of them decides because it was told comes back here, and those that were told before it are told again.
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
    for (const { entry, session, isRunning, holding } of this.#seats()) {
      const account = this.#of(entry.pair);
      const isNewer = session !== undefined && session !== account.session && session.core.isLive;
      if (isNewer) {
        account.settledBefore = settledOf(account) + (entry.beginsAnew === true ? openOf(account) : 0);
        account.session = session;
      }
      account.isRunning = isRunning && session === account.session;
      account.newest = session;
      account.holding = holding;
      this.#settle(entry.pair, account);
    }
  }

  /** What the newest fill has settled. The venue knew of it before it was heard of: it may be in a cash that was read. */
  #settle(pair: string, account: PairAccount): void {
    const settled = settledOf(account);
    const change = settled - account.settled;
    account.settled = settled;
    if (change === 0) return;
    for (const { cashAsOf, inCash } of this.#accounts.values()) {
      if (account.filledAt <= cashAsOf) inCash.set(pair, (inCash.get(pair) ?? 0) + change);
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
        settledBefore: 0,
        settled: 0,
        filledAt: Number.NaN,
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
    // First, while it is not known what there is: last, when it is.
    if (unknown.length > 0) this.#block(session, unknownText(unknown));
    this.#tellShare(session, { notional, openOrders, pnl: unknown.length > 0 ? undefined : pnl });
    if (unknown.length === 0) this.#block(session, undefined);
  }

  #tellShare(session: Sharing, news: AccountShare): void {
    const told = this.#told.get(session) ?? NOTHING;
    const { notional, openOrders, pnl } = news;
    if (told.notional === notional && told.openOrders === openOrders && told.pnl === pnl) return;
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

/** `undefined`: nobody knows yet what it holds. */
function partOf({ session, isRunning, newest, holding }: PairAccount): Part | undefined {
  if (session === undefined) return holding ?? (newest === undefined ? undefined : booked(newest));
  const { share, market, markPrice } = session.core.risk;
  const { quote } = market;
  if (isRunning) return { quote, ...share };
  // A session that has ended hears of its orders and of prices no more.
  const openOrders = session.openOrders().length;
  if (holding === undefined) return { quote, ...share, openOrders };
  const { notional, mark } = holding;
  if (mark === undefined || markPrice === undefined) return { quote, notional, openOrders, open: share.open };
  const quantity = session.core.engine.position.lots / market.quantityGrid.scale;
  return { quote, notional, openOrders, open: share.open + quantity * (mark - markPrice) };
}

/** Of a session that is not live: what its books know for sure. */
function booked(session: Sharing): Part | undefined {
  const holdsNothing = session.booked() === 0 && session.openOrders().length === 0 && session.doubts() === 0;
  return holdsNothing ? HELD_NOTHING : undefined;
}

const HELD_NOTHING: Part = { quote: undefined, notional: 0, openOrders: 0, open: 0 };

function unknownText(pairs: readonly string[]): string {
  const [holds, counts] = pairs.length === 1 ? ['holds', 'it counts'] : ['hold', 'they count'];
  return `what ${pairs.join(' and ')} ${holds} is not known yet, and ${counts} towards the limits of the account`;
}

/** What a session takes the others to have until it is told. */
const NOTHING: AccountShare = { notional: 0, openOrders: 0, pnl: 0 };

/** At the newest mark that the newest session heard of, quote units. */
function openOf({ session }: PairAccount): number {
  return session?.core.risk.share.open ?? 0;
}

/** Of all its sessions, quote units. */
function settledOf({ session, settledBefore }: PairAccount): number {
  return settledBefore + (session?.core.risk.share.settled ?? 0);
}
