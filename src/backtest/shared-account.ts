/** Runs several sessions on one account, over recordings of several markets that are merged by time. */
import type { AccountShare } from '../model/event.js';
import type { WorldFact } from '../model/world-fact.js';
import type { SessionCore } from '../session/session-core.js';
import type { TradeChunk } from '../storage/rows/trade-columns.js';
import type { FillModelName } from '../venue/tape/fill-model.js';
import type { AccountSession } from './account-session.js';
import type { SharedWatch } from './shared-watch.js';

/** A session with its next trades. */
interface Seat {
  readonly session: AccountSession;
  times: Float64Array;
  row: number;
  count: number;
  /** Whether columns are open. */
  isOpen: boolean;
  isOver: boolean;
}

const NO_TIMES = new Float64Array(0);

/**
 * What the gate of one session knows of the other sessions, computed when it asks. Live sessions are told by events; here
 * all sessions share one clock.
 */
class Others implements AccountShare {
  readonly #cores: readonly SessionCore[];

  constructor(cores: readonly SessionCore[]) {
    this.#cores = cores;
  }

  get notional(): number {
    return this.#cores.reduce((sum, { risk }) => sum + risk.share.notional, 0);
  }

  get openOrders(): number {
    return this.#cores.reduce((sum, { exposure }) => sum + exposure.openOrders, 0);
  }

  get pnl(): number {
    return this.#cores.reduce((sum, { risk }) => {
      const { settled, open } = risk.share;
      return sum + settled + open;
    }, 0);
  }
}

/**
 * Prints of all markets take place by time, and those of one time in the order of the sessions. Other events come
 * between: commands arrive at the venue, funding is paid, windows end, facts are learned. A session gets its reports with
 * the next print of its own market, as it does alone, so its decisions are the same as long as money and limits do not
 * bind. Only if a loss on one market costs the account orders or a position on another, the other session is told at
 * once.
 */
export class SharedAccount {
  readonly sessions: readonly AccountSession[];
  readonly watch: SharedWatch;
  readonly #seats: readonly Seat[];
  /**
   * Whether a limit on losses is set: then a loss on any market stops all sessions, and must be checked after each print.
   */
  readonly #isWatched: boolean;
  #ruinedAt: number | undefined;
  /** Index of the session that is running. */
  #active = 0;

  /** `sessions`: of `tapeVenues`, at least one; each of them has `watch` as its `whole`. */
  constructor(sessions: readonly AccountSession[], watch: SharedWatch) {
    this.sessions = sessions;
    this.watch = watch;
    this.#seats = sessions.map((session) => ({
      session,
      times: NO_TIMES,
      row: 0,
      count: 0,
      isOpen: false,
      isOver: false,
    }));
    watch.follow(sessions.map((session) => session.watch));
    this.#isWatched = sessions.some(({ core }) => core.risk.day !== undefined);
    for (const { core } of sessions) {
      core.risk.others = new Others(sessions.flatMap((each) => (each.core === core ? [] : [each.core])));
    }
  }

  /** When the equity reached 0 or less, ms; the run ends there. */
  get ruinedAt(): number | undefined {
    return this.#ruinedAt;
  }

  /** Index of the session that handled the last event: if `run` throws, its strategy is to blame. */
  get active(): number {
    return this.#active;
  }

  /**
   * Opens the next trades of a session, at least one, after its earlier ones were all handled; `facts`: other facts up to
   * the last of these.
   */
  open(index: number, chunk: TradeChunk, facts: readonly WorldFact[]): void {
    const seat = this.#seats[index] as Seat;
    seat.session.open(chunk, facts);
    seat.times = chunk.time;
    seat.row = 0;
    seat.count = chunk.count;
    seat.isOpen = true;
  }

  /** A session has no more trades: its market stands still. */
  finish(index: number): void {
    (this.#seats[index] as Seat).isOver = true;
  }

  /** Runs until a session needs more trades and returns its index; `undefined` when everything is over. */
  run(): number | undefined {
    for (;;) {
      if (this.#ruinedAt !== undefined) return undefined;
      let first: Seat | undefined;
      let time = Number.POSITIVE_INFINITY;
      for (let at = 0; at < this.#seats.length; at++) {
        const seat = this.#seats[at] as Seat;
        if (seat.isOver) continue;
        if (seat.row === seat.count) return at;
        const next = seat.times[seat.row] as number;
        if (next >= time) continue;
        time = next;
        first = seat;
      }
      if (first === undefined) return undefined;
      if (this.#happen(time)) continue;
      if (this.#isWatched) this.#turnDay(time);
      if (time >= this.watch.nextTime) this.watch.turn(time);
      this.#turn(first);
    }
  }

  /** All recordings are over. */
  end(): void {
    for (const { session } of this.#seats) session.end();
    this.watch.end();
  }

  /** Lets the first event take place that is due before the prints of `time`; false when there is none. */
  #happen(time: number): boolean {
    let first: Seat | undefined;
    let due = time;
    for (const seat of this.#seats) {
      const next = dueOf(seat);
      if (next >= due) continue;
      due = next;
      first = seat;
    }
    if (first === undefined) return false;
    this.#active = this.#seats.indexOf(first);
    // An event before the prints of a time may be due at a fraction of a millisecond before it.
    const at = Math.ceil(due);
    if (this.#isWatched) this.#turnDay(at);
    if (this.watch.hasBegun && at >= this.watch.nextTime) this.watch.turn(at);
    if (first.isOver) first.session.expire();
    else first.session.happen(first.row);
    this.#seize(at);
    // It may have paid funding.
    if (this.#isWatched) this.#lookAtLoss(first);
    return true;
  }

  /** Handles rows of one session up to the next event of the others. */
  #turn(seat: Seat): void {
    const { session, times } = seat;
    this.#active = this.#seats.indexOf(seat);
    const from = seat.row;
    const until = this.#isWatched ? Number.NEGATIVE_INFINITY : this.#until(seat);
    let to = from + 1;
    while (to < seat.count && (times[to] as number) < until) to++;
    session.resume(this.watch.begin(session.watch));
    // A print may cost another market its orders or position, or make something due there: then the rows end early.
    const { seizures } = session;
    const due = this.#dueElsewhere(seat);
    seat.row = session.pass(
      from,
      to,
      () => session.seizures !== seizures || this.#dueElsewhere(seat) !== due,
    );
    session.pause(seat.row);
    // This session has got the reports with its own print already.
    session.takeSeizure();
    const last = times[seat.row - 1] as number;
    this.#seize(last);
    if (session.isOver) this.#over(session.to);
    else if (seat.row === seat.count && seat.isOpen) close(seat);
    if (this.#isWatched) this.#lookAtLoss(seat);
  }

  /** A liquidation took orders or positions on other markets: their sessions are told at once. */
  #seize(time: number): void {
    for (const [at, { session, row }] of this.#seats.entries()) {
      if (!session.takeSeizure()) continue;
      this.#active = at;
      session.hear(row, time);
      session.watch.mark(time);
      this.watch.mark(time);
      if (this.watch.isNothing) this.#over(time);
    }
  }

  /**
   * Rows with earlier times than this come before any event of the other sessions and in the same hour. Times of prints
   * are whole.
   */
  #until(seat: Seat): number {
    let until = this.watch.nextTime;
    let isAfter = false;
    for (const other of this.#seats) {
      if (other === seat) {
        isAfter = true;
        continue;
      }
      // Prints of one time come in the order of the sessions; events due at that time come after all of them.
      until = Math.min(until, dueOf(other) + 0.25);
      if (!other.isOver) until = Math.min(until, (other.times[other.row] as number) + (isAfter ? 0.5 : 0));
    }
    return until;
  }

  #dueElsewhere(seat: Seat): number {
    let due = Number.POSITIVE_INFINITY;
    for (const other of this.#seats) {
      if (other !== seat) due = Math.min(due, dueOf(other));
    }
    return due;
  }

  /** A day begins for all sessions with the account's equity before any event of that day. */
  #turnDay(time: number): void {
    for (const { session } of this.#seats) session.core.risk.turnDay(time);
  }

  #lookAtLoss(seat: Seat): void {
    for (const other of this.#seats) {
      if (other !== seat) other.session.core.risk.lookAtLoss();
    }
  }

  #over(time: number): void {
    if (this.#ruinedAt !== undefined) return;
    this.#ruinedAt = time;
    for (const seat of this.#seats) {
      seat.session.hear(seat.row, time);
      seat.session.watch.mark(time);
      if (seat.isOpen) close(seat);
      seat.isOver = true;
    }
  }
}

function dueOf({ session, isOver }: Seat): number {
  return isOver ? session.lastDue : session.nextDue;
}

function close(seat: Seat): void {
  seat.session.close(seat.row);
  seat.isOpen = false;
}

/** Time of the last print, or of the account's ruin, ms. */
export function endOf({ sessions, ruinedAt }: SharedAccount): number {
  return ruinedAt ?? Math.max(...sessions.map(({ to }) => to));
}

/** The run of an account under one fill model. */
export interface AccountRun {
  readonly model: FillModelName;
  readonly account: SharedAccount;
}
