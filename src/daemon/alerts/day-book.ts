import type { DaemonEvent, DaemonStatus } from '../daemon-api.js';
import { parseDecimal } from '../../model/decimal.js';
import { heldText } from '../../runner/journaled-pair.js';
import type { Alert } from './alert.js';

export interface DayFacts {
  readonly status: DaemonStatus;
  /** Bytes of all journals; `undefined`: there is none. */
  readonly journalBytes: number | undefined;
  readonly time: number;
}

const MIB = 1_048_576;
const HOUR_MS = 3_600_000;

/** Counts what happened since the last daily summary. */
export class DayBook {
  #fills = 0;
  #problems = 0;
  #outages = 0;
  #worstLagMs = 0;
  readonly #refusals = new Map<string, number>();
  #before: DayFacts | undefined;

  constructor(begin: DayFacts) {
    this.#before = begin;
  }

  note(event: DaemonEvent): void {
    if (event.kind === 'fill') this.#fills++;
    else if (event.kind === 'refusal')
      this.#refusals.set(event.rule, (this.#refusals.get(event.rule) ?? 0) + 1);
    else if (event.kind === 'venue' && !event.reachable) this.#outages++;
    else if (event.kind === 'problem') this.#problems++;
  }

  /** To be called once a minute, because the daemon knows only the lag of the last minute. */
  lag(maxMs: number): void {
    this.#worstLagMs = Math.max(this.#worstLagMs, maxMs);
  }

  /** Makes the summary and begins the next one. */
  close(facts: DayFacts): Alert {
    const { status, journalBytes, time } = facts;
    const before = this.#before;
    const sum = ({ pairs }: DaemonStatus, of: (pair: DaemonStatus['pairs'][number]) => number) =>
      pairs.reduce((total, pair) => total + of(pair), 0);
    const grown = (of: (pair: DaemonStatus['pairs'][number]) => number) =>
      sum(status, of) - (before === undefined ? 0 : sum(before.status, of));
    const refused = [...this.#refusals].sort((a, b) => b[1] - a[1]);
    const hours = Math.round(((time - (before?.time ?? time)) / HOUR_MS) * 10) / 10;
    const written = journalBytes === undefined ? undefined : journalBytes - (before?.journalBytes ?? 0);
    const lines = [
      `P&L: ${pnlText(status, before?.status)}`,
      ...status.pairs.map((each) => `${each.pair}: position ${heldText(each) ?? 'not known'}, ${each.state}`),
      `fills ${this.#fills}, orders ${grown(({ counts }) => counts.orders)}, cancels ${grown(({ counts }) => counts.cancels)}, rejected ${grown(({ counts }) => counts.rejections)}`,
      `refused here: ${refused.length === 0 ? 'none' : refused.map(([rule, count]) => `${rule} ${count}`).join(', ')}`,
      `gaps ${grown(({ gaps }) => gaps)}, venue outages ${this.#outages}, problems ${this.#problems}`,
      `up ${Math.round(status.uptimeMs / HOUR_MS)} h, worst loop lag ${Math.round(this.#worstLagMs)} ms, memory ${Math.round(status.memory.rssBytes / MIB)} MiB`,
      ...(written === undefined
        ? []
        : [
            `journal ${written < 0 ? 'compacted' : `grew by ${Math.round((written / MIB) * 10) / 10} MiB`}, now ${Math.round(((journalBytes ?? 0) / MIB) * 10) / 10} MiB`,
          ]),
      ...status.problems.map((problem) => `now: ${problem}`),
    ];
    this.#fills = 0;
    this.#problems = 0;
    this.#outages = 0;
    this.#worstLagMs = 0;
    this.#refusals.clear();
    this.#before = facts;
    return {
      kind: 'summary',
      severity: 'info',
      key: undefined,
      phase: 'event',
      title: `the last ${hours} hours: ${status.state}`,
      lines,
      time,
    };
  }
}

/** P&L since the last summary. The day's own P&L would say nothing shortly after midnight. */
function pnlText({ pnl }: DaemonStatus, before: DaemonStatus | undefined): string {
  const parts = Object.entries(pnl).map(([asset, { session }]) => {
    const now = parseDecimal(session);
    const then = parseDecimal(before?.pnl[asset]?.session ?? '0');
    const change = now === undefined || then === undefined ? session : now.minus(then).toFixed(2);
    return `${change.startsWith('-') ? '' : '+'}${change} ${asset}`;
  });
  return parts.length === 0 ? 'none' : parts.join(', ');
}
