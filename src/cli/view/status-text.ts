/** Shows the status of a daemon on one screen. */
import type { DaemonStatus, PairStatus } from '../../daemon/daemon-api.js';
import type { OfflineStatus } from '../../daemon/offline-status.js';
import { heldText } from '../../runner/journaled-pair.js';
import { counted } from '../../model/counted.js';
import { durationText } from '../../model/duration.js';
import { gainText } from './decimal-text.js';
import { lengthText } from './moment.js';
import { bySource, orderLines, restingText, stopLines, timeText } from './order-lines.js';
import { printable } from './printable.js';

const MIB = 1024 * 1024;
/** These limits are in ms. */
const OF_TIME: ReadonlySet<string> = new Set<PairStatus['limits'][number]['rule']>([
  'max-bare-time',
  'same-side-repeat',
]);

export function statusText(status: DaemonStatus): string {
  const { state, mode, venue, pid, uptimeMs, version, pnl, budget, clock, memory, loopLag } = status;
  const money = Object.entries(pnl).map(
    ([asset, { today, session }]) =>
      `${gainText(today)} ${asset} today, ${gainText(session)} since the start`,
  );
  return shown([
    `${state.toUpperCase()} · ${mode} · ${venue} · up ${lengthText(uptimeMs)} · process ${pid} · ${version}`,
    ...status.problems.map((problem) => `  ! ${indented(problem)}`),
    ...status.pairs.flatMap(pairLines),
    labelled('P&L', money.length === 0 ? 'nothing yet' : money.join('; ')),
    ...(status.suspense.length === 0
      ? []
      : [labelled('suspense', status.suspense.map(({ asset, amount }) => `${amount} ${asset}`).join(', '))]),
    labelled(
      'requests',
      status.pairs.length > 0 && status.pairs.every(({ failure }) => failure !== undefined)
        ? 'none: no strategy runs'
        : budget.perSecond === 0
          ? 'not known yet'
          : `${Math.round(budget.perSecond * 10) / 10} a second allowed`,
    ),
    labelled(
      'clock',
      clock === undefined
        ? 'not known yet'
        : `the venue's clock is ${clock.offsetMs} ms from ours, ± ${clock.uncertaintyMs} ms`,
    ),
    labelled(
      'memory',
      `${memoryText(memory)}; event loop late by ${loopLag.p99Ms} ms (p99), ${loopLag.maxMs} ms at most`,
    ),
  ]);
}

function memoryText({ rssBytes, ceilingBytes }: DaemonStatus['memory']): string {
  const of = ceilingBytes === undefined ? '' : ` of ${Math.round(ceilingBytes / MIB)}`;
  return `${Math.round(rssBytes / MIB)}${of} MiB`;
}

export function offlineText({ state, pid, problems, pairs }: OfflineStatus): string {
  return shown([
    offlineHead(state, pid, pairs.length > 0),
    ...problems.map((problem) => `  ! ${indented(problem)}`),
    ...pairs.flatMap(offlineLines),
  ]);
}

function offlineLines({
  pair,
  state,
  reason,
  damage,
  orders = [],
  leftStops = [],
  inDoubt,
  ...held
}: OfflineStatus['pairs'][number]): readonly string[] {
  if (damage !== undefined) return [`${pair} · ${reason}: what it has at the venue is not known`];
  return [
    state === 'BOOT' ? pair : `${pair} · ${state}: ${indented(reason)}`,
    labelled('position', heldText(held) ?? 'never agreed with the venue'),
    ...labelledLines(
      'orders',
      orders.length === 0 ? ['none'] : (orderLines({ orders, leftStops, working: [] }) ?? []),
    ),
    ...labelledLines('stop', leftStops.map(restingText)),
    ...(inDoubt.length === 0 ? [] : [labelled('in doubt', inDoubt.join(', '))]),
  ];
}

function offlineHead(state: OfflineStatus['state'], pid: number | undefined, isJournaled: boolean): string {
  switch (state) {
    case 'hung':
      return `HUNG · process ${pid ?? '?'}; this is what its journal says`;
    case 'starting':
      return `STARTING · process ${pid ?? '?'} runs and has not answered yet${isJournaled ? '; this is what its journal says' : ''}`;
    case 'not running':
      return isJournaled
        ? 'NOT RUNNING · this is what the journal says'
        : 'NOT RUNNING · no journal says more: a session on paper writes none';
  }
}

/** Text of strategies and the venue must not control the terminal. */
function shown(lines: readonly string[]): string {
  return lines.join('\n').split('\n').map(printable).join('\n');
}

function pairLines(pair: PairStatus): readonly string[] {
  const { counts, averageEntry, lastPrice, pollAgeMs } = pair;
  const isStopped = pair.failure !== undefined;
  const entry = averageEntry === undefined ? '' : ` @ ${averageEntry}`;
  return [
    `${pair.pair} · ${pair.strategy} · ${isStopped ? 'STOPPED' : `${pair.state}: ${indented(pair.reason)}`}`,
    labelled('position', `${positionText(pair)}${entry}, price ${lastPrice ?? 'not known'}`),
    labelled('wanted', pair.wanted),
    ...labelledLines('orders', orderLines(pair) ?? [NOT_KNOWN]),
    ...labelledLines('stop', stopLines(pair)),
    labelled('in doubt', pair.doubt === undefined ? NOT_KNOWN : `${pair.doubt}${bySource(pair.source)}`),
    labelled(
      'counts',
      `${counted(counts.orders, 'order')}, ${counted(counts.fills, 'fill')}, ${counts.refusals} refused, ${counts.rejections} rejected, ${counted(pair.gaps, 'gap')}`,
    ),
    labelled(
      'data',
      isStopped
        ? 'none are read: it is stopped'
        : pollAgeMs === undefined
          ? 'none yet'
          : `${pollAgeMs} ms old`,
    ),
    ...pair.limits.map((limit) => labelled('limit', limitText(limit))),
  ];
}

const NOT_KNOWN = 'not known yet';

function positionText(
  pair: Pick<PairStatus, 'position' | 'positionLots' | 'ownPosition' | 'source'>,
): string {
  const held = heldText(pair);
  const own = pair.ownPosition === undefined ? '' : ` (P&L counts ${pair.ownPosition})`;
  return held === undefined ? NOT_KNOWN : `${held}${own}${bySource(pair.source)}`;
}

/** The bound of a time as the configuration says it. */
function limitText({ rule, used, bound }: PairStatus['limits'][number]): string {
  return OF_TIME.has(rule)
    ? `${rule} ${timeText(Number(used))} of ${durationText(Number(bound))}`
    : `${rule} ${used} of ${bound}`;
}

/** Indents further lines, such as those of a code excerpt. */
function indented(text: string): string {
  return text.replaceAll('\n', '\n    ');
}

function labelled(label: string, text: string): string {
  return `  ${label.padEnd(9)} ${text}`;
}

/** Only the first line has the label. */
function labelledLines(label: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => labelled(index === 0 ? label : '', line));
}
