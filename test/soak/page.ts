import type { RealTimeResult } from './real-time.js';
import type { VirtualResult } from './virtual.js';

export interface SoakResult {
  readonly virtual?: VirtualResult | undefined;
  readonly real?: RealTimeResult | undefined;
}

/** `docs/soak.md`: what the newest runs came to. */
export function soakPage({ virtual, real }: SoakResult): string {
  return [
    '# What a daemon keeps over time',
    '',
    'Written by `npm run soak -- --days 30 --publish` and `npm run soak -- --minutes 20 --publish`; the figures as JSON are in',
    '`docs/soak.json`. It takes an hour of a quiet machine, so CI does not run it.',
    '',
    ...(virtual === undefined ? [] : virtualPart(virtual)),
    ...(real === undefined ? [] : realPart(real)),
  ].join('\n');
}

function virtualPart(result: VirtualResult): readonly string[] {
  const { days, pairs, pollMs, rssGrowthMiB, heapGrowthMiB, mostJournalMiBPerDay, seconds } = result;
  const late = days.slice(1);
  const span = (pick: (day: VirtualResult['days'][number]) => number) =>
    `${Math.min(...late.map(pick))} to ${Math.max(...late.map(pick))}`;
  const sum = (pick: (day: VirtualResult['days'][number]) => number) =>
    days.reduce((total, day) => total + pick(day), 0);
  return [
    '## Virtual days',
    '',
    `${days.length} days of ${pairs} pairs on a virtual clock, polled every ${pollMs / 1_000} s, in ${seconds} s. Memory, files and journals are real; the`,
    'venue is another process. Each day it is gone for ten minutes, and of all requests one in 125 is lost, answered to nobody or refused.',
    '',
    '| figure | value | bound |',
    '|---|---|---|',
    `| RSS, growth from the end of day 2 to the last | ${rssGrowthMiB} MiB | 8 MiB |`,
    `| heap after a collection, the same | ${heapGrowthMiB} MiB | |`,
    `| journal, most in a day | ${mostJournalMiBPerDay} MiB | 20 MiB |`,
    `| timers that wait, from day 2 on | ${span(({ timers }) => timers)} | constant |`,
    `| exchanges under way | ${span(({ exchanges }) => exchanges)} | constant |`,
    `| listeners of the process | ${span(({ listeners }) => listeners)} | constant |`,
    `| handles of the event loop | ${span(({ handles }) => handles)} | constant |`,
    `| requests, and faults among them | ${sum(({ requests }) => requests)}, ${sum(({ faults }) => faults)} | |`,
    `| orders, fills | ${days.at(-1)?.orders ?? 0}, ${days.at(-1)?.fills ?? 0} | |`,
    `| pairs that are SYNCED at the end of a day | ${span(({ synced }) => synced)} | ${pairs} |`,
    '',
  ];
}

function realPart(result: RealTimeResult): readonly string[] {
  const { minutes, pollMs, rssFirstMiB, rssLastMiB, rssSlopeMiBPerHour, sockets, files, threads } = result;
  const { journalBytes, fills, orders, state } = result;
  return [
    '## Real minutes',
    '',
    `${minutes} minutes of two pairs polled every ${pollMs} ms, daemon and venue as processes; figures after the first quarter.`,
    '',
    '| figure | value |',
    '|---|---|',
    `| RSS, first and last | ${rssFirstMiB}, ${rssLastMiB} MiB |`,
    `| RSS, least squares | ${rssSlopeMiBPerHour} MiB an hour |`,
    `| sockets | ${sockets.join(' to ')} |`,
    `| files | ${files.join(' to ')} |`,
    `| threads | ${threads.join(' to ')} |`,
    `| journal | ${Math.round(journalBytes / 1_024)} KiB, ${Math.round(((journalBytes / minutes) * 1_440) / 2 ** 20)} MiB a day at this pace |`,
    `| orders, fills | ${orders}, ${fills} |`,
    `| state at the end | ${state} |`,
    '',
  ];
}
