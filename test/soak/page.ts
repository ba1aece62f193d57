import { WARM_SHARE } from './process-sample.js';
import type { RealTimeResult } from './real-time.js';
import type { SoakDay, VirtualResult } from './virtual.js';

const MOST_RSS_GROWTH_MIB = 8;
const MOST_JOURNAL_MIB_PER_DAY = 20;

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

/** Of the virtual days: what is asked of a figure, and what it came to. */
interface Row {
  readonly figure: string;
  readonly value: string;
  /** Neither: nothing is asked of it. */
  readonly bound?: string;
  readonly isMet?: boolean;
}

/** What was asked and is not so, in words. */
export function missedBounds({ virtual }: SoakResult): readonly string[] {
  return (virtual === undefined ? [] : virtualRows(virtual))
    .filter(({ isMet }) => isMet === false)
    .map(({ figure, value, bound }) => `${figure}: ${value}, the bound is ${bound}`);
}

function virtualRows(result: VirtualResult): readonly Row[] {
  const { days, pairs, rssGrowthMiB, heapGrowthMiB, mostJournalMiBPerDay, ordersPerDay } = result;
  const late = days.slice(1);
  type Pick = (day: SoakDay) => number;
  const span = (pick: Pick) => {
    const values = late.map(pick);
    return [Math.min(...values), Math.max(...values)] as const;
  };
  const sum = (pick: Pick) => days.reduce((total, day) => total + pick(day), 0);
  const most = (figure: string, value: number, bound: number): Row => ({
    figure,
    value: `${value} MiB`,
    bound: `${bound} MiB`,
    isMet: value <= bound,
  });
  const constant = (figure: string, pick: Pick): Row => {
    const [least, largest] = span(pick);
    return { figure, value: `${least} to ${largest}`, bound: 'constant', isMet: least === largest };
  };
  const free = (figure: string, value: string): Row => ({ figure, value });
  const fewer = days.filter(({ synced }) => synced < pairs).length;
  return [
    most(
      'RSS at the end of a day after collections that compact, growth from day 2 to the last (least squares)',
      rssGrowthMiB,
      MOST_RSS_GROWTH_MIB,
    ),
    free(
      'the same at the ends of the days; the median over the minutes of a day',
      `${span(({ rssMiB }) => rssMiB).join(' to ')} MiB; ${span(({ busyRssMiB }) => busyRssMiB).join(' to ')} MiB`,
    ),
    free('heap after a collection, growth from day 2 to the last', `${heapGrowthMiB} MiB`),
    most(
      `journal, most in a day, at ${ordersPerDay} orders a day`,
      mostJournalMiBPerDay,
      MOST_JOURNAL_MIB_PER_DAY,
    ),
    constant('timers that wait, from day 2 on', ({ timers }) => timers),
    constant('exchanges under way', ({ exchanges }) => exchanges),
    constant('listeners of the process', ({ listeners }) => listeners),
    constant('handles of the event loop', ({ handles }) => handles),
    free(
      'requests, and faults among them',
      `${sum(({ requests }) => requests)}, ${sum(({ faults }) => faults)}`,
    ),
    free('orders, fills', `${days.at(-1)?.orders ?? 0}, ${days.at(-1)?.fills ?? 0}`),
    free(
      'pairs that are SYNCED at the end of a day',
      `${span(({ synced }) => synced).join(' to ')} of ${pairs}; fewer than all on ${fewer} of ${days.length} days`,
    ),
  ];
}

function virtualPart(result: NonNullable<SoakResult['virtual']>): readonly string[] {
  const { days, pairs, pollMs, seconds, cpuSeconds } = result;
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
    '| figure | value | bound | met |',
    '|---|---|---|---|',
    ...virtualRows(result).map(({ figure, value, bound = '', isMet }) => {
      const met = isMet === undefined ? '' : isMet ? 'yes' : '**no**';
      return `| ${[figure, value, bound, met].join(' | ')} |`;
    }),
    '',
    'Of pairs that are SYNCED nothing is asked here: faults go on through the end of a day, one that waits one out at that moment is not,',
    'and these figures do not say which pair it was, or why.',
    '',
  ];
}

function realPart(result: NonNullable<SoakResult['real']>): readonly string[] {
  const { minutes, pollMs, rssFirstMiB, rssLastMiB, rssSlopeMiBPerHour, sockets, files, threads } = result;
  const { journalBytes, fills, orders, state, problems } = result;
  const counted = `${minutes * (1 - WARM_SHARE)} minutes`;
  return [
    '## Real minutes',
    '',
    `${minutes} minutes of two pairs polled every ${pollMs} ms, daemon and venue as processes; figures after the first quarter.`,
    '',
    ...measured(result),
    '| figure | value |',
    '|---|---|',
    `| RSS, first and last of ${counted} | ${rssFirstMiB}, ${rssLastMiB} MiB |`,
    `| RSS, least squares over those ${counted} | ${rssSlopeMiBPerHour} MiB an hour |`,
    `| sockets | ${sockets.join(' to ')} |`,
    `| files | ${files.join(' to ')} |`,
    `| threads | ${threads.join(' to ')} |`,
    `| journal | ${Math.round(journalBytes / 1_024)} KiB, ${Math.round(((journalBytes / minutes) * 1_440) / 2 ** 20)} MiB a day at this pace |`,
    `| orders, fills | ${orders}, ${fills} |`,
    `| state at the end | ${state}${problems.length === 0 ? '' : `: ${problems.join('; ')}`} |`,
    '',
    'Nothing is asked of that slope: over so short a time it can be what the engine reserves for garbage, and what other work on the',
    'machine leaves it time for, as well as what is kept; no hour of it was measured. What is asked of memory is asked of the virtual days.',
    '',
  ];
}

function measured({ on, commit }: Partial<Measured>): readonly string[] {
  return on === undefined || commit === undefined ? [] : [`Measured on ${on}, commit \`${commit}\`.`, ''];
}
