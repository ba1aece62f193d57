import type { RunResult } from '../../src/simulation/run-plan.js';
import type { Totals } from '../../src/simulation/totals.js';
import type { TraceLine } from '../../src/simulation/world/trace.js';

const HOUR_MS = 3_600_000;

/** One line a run, and the story of each violation. */
export function runText(run: RunResult): string {
  const { seed, subject, ranMs, events, lives, doubts, counts, violations, traceHash } = run;
  const faults = sum(run.faults);
  const line =
    `seed ${seed} ${subject}: ${(ranMs / HOUR_MS).toFixed(1)} h, ${events} events, ${faults} faults, ` +
    `${lives} lives, ${counts.intents} intents, ${counts.orders} orders, ${doubts} doubts, ` +
    `${counts.duplicates} duplicates, ${counts.orphans} orphans, ` +
    `${counts.unexplainedSynced} unexplained, worst ${counts.worst.toFixed(2)}, SYNCED ${percent(counts.synced)}, trace ${traceHash}`;
  const stories = violations.map(({ invariant, claim, timeMs, what, tail }) =>
    [
      `  ${invariant} broken at ${clockText(timeMs)}: ${claim}`,
      `  ${what}`,
      ...tail.map((each) => `    ${traceText(each)}`),
    ].join('\n'),
  );
  return [line, `  at last: ${run.lastWords}`, ...stories].join('\n');
}

export function traceText({ time, what, detail }: TraceLine): string {
  return `${clockText(time)} ${what} ${detail}`;
}

export function totalsText(totals: Totals): string {
  const { subject, runs, days, faults, intents, orders, doubts, crashes } = totals;
  return [
    `${subject}: ${runs} runs, ${days.toFixed(1)} days, ${totals.events} events, ${faults} faults, ${crashes} deaths`,
    `  ${intents} intents, ${totals.writes} requests, ${orders} orders, ${doubts} in doubt ${listText(totals.judged)}`,
    `  ${totals.duplicates} duplicates, ${totals.duplicatesByOthers} doubled by others, ${totals.orphans} orphans, ` +
      `${totals.unexplainedSynced} unexplained SYNCED, worst position ${totals.worst.toFixed(2)} of the limit, SYNCED ${percent(totals.synced)}`,
    `  secrets found: ${totals.secrets}`,
    `  violations: ${totals.violations.length === 0 ? 'none' : totals.violations.join(', ')}`,
    `  faults: ${listText(totals.faultsByKind)}`,
    `  deaths: ${listText(totals.crashesByPoint)}`,
    `  trace ${totals.traceHash.slice(0, 16)}`,
  ].join('\n');
}

/** `12:34:56.789` since the start. */
function clockText(ms: number): string {
  const whole = Math.floor(ms);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const milli = String(whole % 1_000).padStart(3, '0');
  return `${two(whole / HOUR_MS)}:${two((whole / 60_000) % 60)}:${two((whole / 1_000) % 60)}.${milli}`;
}

function listText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
