import { utcText } from '../../model/calendar.js';
import type { CancelTimer, Clock, Timers } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { DaemonControl, DaemonEvent } from '../daemon-api.js';
import type { Alert } from './alert.js';
import { AlertLine, type LineOptions, type LineParts } from './alert-line.js';
import { alertOf } from './alert-of.js';
import { DayBook, type DayFacts } from './day-book.js';
import type { Trouble } from './outbox.js';
import { StandingProblems } from './standing-problems.js';

/** A receiver, and when it gets the summary of the day: minutes after 00:00 UTC. */
export interface DeskLine extends LineOptions {
  readonly summary: number | undefined;
}

export interface AlertDeskOptions extends LineParts {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly lines: readonly DeskLine[];
  readonly daemon: Pick<DaemonControl, 'listen' | 'status'>;
  /** Bytes of all journals now; `undefined`: there is none. */
  readonly journalBytes: () => Promise<number | undefined>;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const TROUBLE_MS = 30_000;
/** A pair that is in doubt for less is no news: an order that was not answered is found within that time. */
const SETTLE_MS = 60_000;

/** Listens to the daemon's events and sends alerts to people. Never delays the daemon. */
export class AlertDesk {
  readonly #options: AlertDeskOptions;
  readonly #lines: readonly AlertLine[];
  readonly #books: readonly (DayBook | undefined)[];
  readonly #standing = new StandingProblems();
  readonly #settling = new Map<string, CancelTimer>();
  #cancelLook: CancelTimer | undefined;
  #release: () => void = () => undefined;
  #unreachable = false;
  #isClosed = false;

  private constructor(options: AlertDeskOptions, begin: DayFacts) {
    this.#options = options;
    this.#lines = options.lines.map((line) => new AlertLine(line, options));
    this.#books = options.lines.map(({ summary }) =>
      summary === undefined ? undefined : new DayBook(begin),
    );
  }

  /** Listens from now on. */
  static async open(options: AlertDeskOptions): Promise<AlertDesk> {
    const desk = new AlertDesk(options, await factsOf(options));
    desk.#release = options.daemon.listen((event) => desk.#hear(event));
    desk.#lookLater(options.clock.wall());
    return desk;
  }

  /** For what no event says: the start and the end. */
  tell(alert: Alert): void {
    for (const line of this.#lines) line.tell(alert);
  }

  /** Of receivers that nothing arrives at, in words. */
  get problems(): readonly string[] {
    return this.#troubles().map(
      ({ name, since, reason, waiting, lost }) =>
        `no alert arrives at ${name} since ${utcText(since)}: ${reason} (${waiting} waiting, ${lost} lost)`,
    );
  }

  /** One attempt that failed and will be made again is no trouble yet. */
  #troubles(): readonly (Trouble & { readonly name: string; readonly line: AlertLine })[] {
    const now = this.#options.clock.wall();
    return this.#lines.flatMap((line) => {
      const { trouble, name } = line;
      if (trouble === undefined || (trouble.lost === 0 && now - trouble.since < TROUBLE_MS)) return [];
      return [{ ...trouble, name, line }];
    });
  }

  /** Resolves when all has arrived, or after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    this.#release();
    this.#cancelLook?.();
    for (const cancel of this.#settling.values()) cancel();
    this.#settling.clear();
    await Promise.all(this.#lines.map((line) => line.close(graceMs)));
  }

  #hear(event: DaemonEvent): void {
    for (const book of this.#books) book?.note(event);
    if (event.kind === 'venue') this.#unreachable = !event.reachable;
    // Whatever doubt there was ends with its session, and its failure says what is to be known.
    if (event.kind === 'strategy-failed') this.#settled(event.pair);
    const alert = alertOf(event);
    if (alert === undefined) return;
    if (event.kind === 'pair-state') this.#hearPair(event, alert);
    else this.tell(alert);
  }

  /** What a halt of the whole daemon or an outage does to each pair is told by these alone. */
  #hearPair({ pair, state, isAlone }: Extract<DaemonEvent, { kind: 'pair-state' }>, alert: Alert): void {
    this.#settled(pair);
    if (state === 'SUSPECT') this.#settle(pair, alert);
    else if (state !== 'HALTED' || isAlone === true) this.tell(alert);
  }

  #settled(pair: string): void {
    this.#settling.get(pair)?.();
    this.#settling.delete(pair);
  }

  #settle(pair: string, alert: Alert): void {
    const cancel = this.#options.timers.after(SETTLE_MS, () => {
      if (this.#unreachable) {
        this.#settle(pair, alert);
        return;
      }
      this.#settling.delete(pair);
      this.tell(alert);
    });
    this.#settling.set(pair, cancel);
  }

  /** `before`: epoch ms; up to then summaries were looked for. */
  #lookLater(before: number): void {
    this.#cancelLook = this.#options.timers.after(MINUTE_MS, () => {
      const now = this.#options.clock.wall();
      void this.#look(before, now).catch((error: unknown) => {
        this.#options.log.warn('the daily summary cannot be made', { error: String(error) });
      });
      // A clock that is set back comes to the same time again. One that was wrong by more than a day is believed from now on.
      this.#lookLater(before - now > DAY_MS ? now : Math.max(before, now));
    });
  }

  async #look(before: number, now: number): Promise<void> {
    const { lines, daemon } = this.#options;
    const status = daemon.status();
    const troubles = this.#troubles();
    for (const { alert, about } of this.#standing.look({
      status,
      receivers: troubles.map(({ name, reason }) => ({ name, reason })),
      time: now,
      isOutage: this.#unreachable,
    })) {
      const itself = troubles.find(({ name }) => name === about)?.line;
      for (const line of this.#lines) if (line !== itself) line.tell(alert);
    }
    const { maxMs } = status.loopLag;
    const due = lines.map(({ summary }) => summary !== undefined && isDue(summary, before, now));
    for (const book of this.#books) book?.lag(maxMs);
    if (!due.includes(true)) return;
    const facts = await factsOf(this.#options);
    if (this.#isClosed) return;
    for (const [index, isDueNow] of due.entries()) {
      const book = this.#books[index];
      if (isDueNow && book !== undefined) this.#lines[index]?.tell(book.close(facts));
    }
  }
}

/** The time of the day, minutes after 00:00 UTC, is in (before, now]. */
function isDue(minutes: number, before: number, now: number): boolean {
  const at = minutes * MINUTE_MS;
  const day = Math.floor((now - at) / DAY_MS);
  const due = day * DAY_MS + at;
  return due > before && due <= now;
}

async function factsOf({ daemon, clock, journalBytes }: AlertDeskOptions): Promise<DayFacts> {
  return { status: daemon.status(), journalBytes: await journalBytes(), time: clock.wall() };
}
