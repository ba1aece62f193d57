import type { RealTimeResult } from './real-time.js';
import type { VirtualResult } from './virtual.js';

/** When a part was measured, and on what. */
export interface Measured {
  /** UTC day. */
  readonly on: string;
  readonly commit: string;
}

export interface SoakResult {
  readonly virtual?: (VirtualResult & Partial<Measured>) | undefined;
  readonly real?: (RealTimeResult & Partial<Measured>) | undefined;
}

/** `docs/soak.md`: what the newest runs came to. */
export function soakPage({ virtual, real }: SoakResult): string {
  const commands = [
    ...(virtual === undefined ? [] : ['`npm run soak -- --days 30 --publish`']),
    ...(real === undefined ? [] : ['`npm run soak -- --minutes 20 --publish`']),
  ];
  return [
    '# What a daemon keeps over time',
    '',
    `Written by ${commands.join(' and ')}; the figures as JSON are in`,
    '`docs/soak.json`. That takes an hour and more of a quiet machine, so CI does not run it.',
    '',
    'A tab of the dashboard that is fed eight hours of events keeps its heap: `npm run e2e` prints it after each hour, and fails when',
    'it grows by 4 MiB after the second one.',
    '',
    ...(virtual === undefined ? [] : virtualPart(virtual)),
    ...(real === undefined ? [] : realPart(real)),
  ].join('\n');
}

function virtualPart(result: NonNullable<SoakResult['virtual']>): readonly string[] {
  const { days, pairs, pollMs, rssGrowthMiB, heapGrowthMiB, mostJournalMiBPerDay } = result;
  const { ordersPerDay, seconds, cpuSeconds } = result;
  const late = days.slice(1);
  const span = (pick: (day: VirtualResult['days'][number]) => number) =>
    `${Math.min(...late.map(pick))} to ${Math.max(...late.map(pick))}`;
  const sum = (pick: (day: VirtualResult['days'][number]) => number) =>
    days.reduce((total, day) => total + pick(day), 0);
  return [
    '## Virtual days',
    '',
    `${days.length} days of ${pairs} pairs on a virtual clock, each polled every ${pollMs / 1_000} s, in ${seconds} s (${cpuSeconds} s of CPU). Memory, files and`,
    'journals are real. The venue is another process; each day it is gone for ten minutes, and of all other requests one in 125 is',
    'lost, answered to nobody or refused. What a daemon keeps for each request, order and fill shows in their number, not in how fast',
    'they come: the polls are slow so that a month of them can be had; the real minutes below are polled fast. Blocks are compressed and',
    'appended in the same thread, and nothing waits for the disk to flush: the real minutes have both.',
    '',
    ...measured(result),
    '| figure | value | bound |',
    '|---|---|---|',
    `| RSS at the end of a day after collections that compact, growth from day 2 to the last (least squares) | ${rssGrowthMiB} MiB | 8 MiB |`,
    `| the same at the ends of the days; the median over the minutes of a day | ${span(({ rssMiB }) => rssMiB)} MiB; ${span(({ busyRssMiB }) => busyRssMiB)} MiB | |`,
    `| heap after a collection, growth from day 2 to the last | ${heapGrowthMiB} MiB | |`,
    `| journal, most in a day, at ${ordersPerDay} orders a day | ${mostJournalMiBPerDay} MiB | 20 MiB |`,
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

function realPart(result: NonNullable<SoakResult['real']>): readonly string[] {
  const { minutes, pollMs, rssFirstMiB, rssLastMiB, rssSlopeMiBPerHour, sockets, files, threads } = result;
  const { journalBytes, fills, orders, state } = result;
  return [
    '## Real minutes',
    '',
    `${minutes} minutes of two pairs polled every ${pollMs} ms, daemon and venue as processes; figures after the first quarter.`,
    '',
    ...measured(result),
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

function measured({ on, commit }: Partial<Measured>): readonly string[] {
  return on === undefined || commit === undefined ? [] : [`Measured on ${on}, commit \`${commit}\`.`, ''];
}
