/** Several sessions on one account, over recordings of several markets that are merged by time. */
import type { AccountShare } from '../model/event.js';
import type { WorldFact } from '../model/world-fact.js';
import type { SessionCore } from '../session/session-core.js';
import type { TradeChunk } from '../storage/rows/trade-columns.js';
import type { FillModelName } from '../venue/tape/fill-model.js';
import type { AccountSession } from './account-session.js';
import type { SharedWatch } from './shared-watch.js';

/** A session with the trades that it has next. */
interface Seat {
  readonly session: AccountSession;
  times: Float64Array;
  row: number;
  count: number;
  /** Columns are open. */
  isOpen: boolean;
  isOver: boolean;
}

const NO_TIMES = new Float64Array(0);

/**
 * What the gate of one session is told of the others, as it is when it asks: live they are told of it by events, here
 * they run on one clock.
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
 * Prints of all markets happen by time, those of one time in the order of the sessions. Between two times comes what is
 * due besides: commands arrive at the venue, positions are funded, windows end, facts are learned. A session hears of it
 * with the next print of its own market, as it does when it is alone: so what it decides is the same as long as money and
 * limits do not bind. Where one market costs the account what it has on another, that one's session hears of it at once.
 */
export class SharedAccount {
  readonly sessions: readonly AccountSession[];
  readonly watch: SharedWatch;
  readonly #seats: readonly Seat[];
  /** A loss of the account stops all of its sessions, whichever of their markets it came from. */
  readonly #isWatched: boolean;
  #ruinedAt: number | undefined;
  /** Whose strategy runs now. */
  #active = 0;

  /** Sessions of `tapeVenues`, each of which `watch` follows as its `whole`; at least one. */
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

  /** When the equity reached 0 or less, ms; nothing more happens then. */
  get ruinedAt(): number | undefined {
    return this.#ruinedAt;
  }

  /** Which session the newest thing happened to: where `run` throws, it was this one's strategy. */
  get active(): number {
    return this.#active;
  }

  /** The next trades of a session, at least one, whose last ones were all taken; what else is known up to the last of them. */
  open(index: number, chunk: TradeChunk, facts: readonly WorldFact[]): void {
    const seat = this.#seats[index] as Seat;
    seat.session.open(chunk, facts);
    seat.times = chunk.time;
    seat.row = 0;
    seat.count = chunk.count;
    seat.isOpen = true;
  }

  /** There are no more trades of a session: its market stands still. */
  finish(index: number): void {
    (this.#seats[index] as Seat).isOver = true;
  }

  /** Goes on until a session needs more trades, and says which; `undefined`: all is over. */
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

  /** All tapes are over. */
  end(): void {
    for (const { session } of this.#seats) session.end();
    this.watch.end();
  }

  /** The first thing that is due before the prints of `time`; false without any. */
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
    // What comes before the prints of a time may be due a part of a millisecond before it.
    const at = Math.ceil(due);
    if (this.#isWatched) this.#turnDay(at);
    if (this.watch.hasBegun && at >= this.watch.nextTime) this.watch.turn(at);
    if (first.isOver) first.session.expire();
    else first.session.happen(first.row);
    this.#seize(at);
    return true;
  }

  /** Rows of one session that come before anything of the others. */
  #turn(seat: Seat): void {
    const { session, times } = seat;
    this.#active = this.#seats.indexOf(seat);
    const from = seat.row;
    const until = this.#isWatched ? Number.NEGATIVE_INFINITY : this.#until(seat);
    let to = from + 1;
    while (to < seat.count && (times[to] as number) < until) to++;
    session.resume(this.watch.begin(session.watch));
    // A print may cost another market its orders or its position, or make something due there.
    const { seizures } = session;
    const due = this.#dueElsewhere(seat);
    seat.row = session.pass(
      from,
      to,
      () => session.seizures !== seizures || this.#dueElsewhere(seat) !== due,
    );
    session.pause(seat.row);
    // Its own session has heard of it already, with its print.
    session.takeSeizure();
    const last = times[seat.row - 1] as number;
    this.#seize(last);
    if (session.isOver) this.#over(session.to);
    else if (seat.row === seat.count && seat.isOpen) close(seat);
    if (this.#isWatched) this.#lookAtLoss(seat);
  }

  /** The account's margin did not hold: what it lost on other markets is heard of there, too. */
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

  /** Times below it are before anything of the other sessions, and in the same hour; times of prints are whole. */
  #until(seat: Seat): number {
    let until = this.watch.nextTime;
    let isAfter = false;
    for (const other of this.#seats) {
      if (other === seat) {
        isAfter = true;
        continue;
      }
      // Prints of one time are in the order of the sessions, and what is due at a time comes after them all.
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

  /** A day begins for all sessions with what the account had before anything of it happened. */
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

/** Time of the last print, or when the account was ruined, ms. */
export function endOf({ sessions, ruinedAt }: SharedAccount): number {
  return ruinedAt ?? Math.max(...sessions.map(({ to }) => to));
}

/** What became of an account under one fill model. */
export interface AccountRun {
  readonly model: FillModelName;
  readonly account: SharedAccount;
}
