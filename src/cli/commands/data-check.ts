import { counted } from '../../model/counted.js';
import { durationText } from '../../model/duration.js';
import { UsageError } from '../../model/errors.js';
import {
  type Certificate,
  type CertifiedGap,
  checkRecordings,
  isBroken,
} from '../../storage/certificate/certificate.js';
import { MOST_GAPS } from '../../storage/certificate/id-sequence.js';
import { unfinishedText } from '../../storage/rows/unfinished-import.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { bytesText } from '../view/bytes-text.js';
import { unreadText } from '../view/unread-text.js';
import { momentText, mostLengthText } from '../view/moment.js';
import { printJson, printText } from '../view/output.js';

export interface DataCheckOptions {
  readonly pair?: string | undefined;
  readonly json?: true | undefined;
}

export async function dataCheck(directory: string, options: DataCheckOptions): Promise<ExitCode> {
  const { files } = thisMachine();
  const all = await checkRecordings(files, [directory]);
  const chosen = all.filter(({ pair }) => options.pair === undefined || pair === options.pair);
  const names = all.map(({ pair }) => pair).join(', ');
  if (chosen.length === 0) {
    throw new UsageError('TICKWRIGHT_E_PAIR', `--pair must be one of ${names}, received ${options.pair}`);
  }
  const [only, ...others] = chosen;
  if (options.json === true) {
    const isOne = only !== undefined && others.length === 0;
    await printJson(isOne ? certificateJson(only) : { recordings: chosen.map(certificateJson) });
  } else {
    await printText(chosen.map(certificateText).join('\n\n'));
  }
  return chosen.some(isBroken) ? EXIT.checkFailed : EXIT.ok;
}

/** Leaves out the fields that do not apply to a kind of recording, such as `barMs` of trades. */
function certificateJson({ gaps, unfinishedImports, ...facts }: Certificate) {
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return {
    ...known,
    ...(unfinishedImports.length === 0
      ? {}
      : { unfinishedImports: unfinishedImports.map(({ folder }) => folder) }),
    gaps: gaps.map(gapJson),
  };
}

function gapJson({ from, to, missing, evidence, ids }: CertifiedGap) {
  return {
    from,
    to,
    ...(missing === undefined ? {} : { missing }),
    evidence,
    ...(ids === undefined ? {} : { ids }),
  };
}

function certificateText(certificate: Certificate): string {
  const { pair, trades, bars, barMs, besides, gaps, from, to, bytes, hash } = certificate;
  const stretch =
    from === undefined || to === undefined ? 'empty' : `${momentText(from)} to ${momentText(to)}`;
  const silence = certificate.longestSilence;
  const rows =
    bars === undefined ? counted(trades, 'trade') : `${counted(bars, 'bar')} of ${durationText(barMs ?? 0)}`;
  return [
    `${pair}: ${rows}, ${stretch}, ${bytesText(bytes)}`,
    ...(besides === undefined || besides.length === 0 ? [] : [`  besides      ${besides.join(', ')}`]),
    ...certificate.unfinishedImports.map((one) => `  unfinished   ${one.folder}: ${unfinishedText(one)}`),
    ...certificate.unread.map((rest) => `  ${rest.kind.padEnd(12)} ${unreadText(rest)}`),
    ...(bars === undefined ? faultLines(certificate) : barFaultLines(certificate)),
    `  gaps         ${gaps.length}${proofText(certificate)}`,
    ...severalLine(gaps),
    ...listed(gaps.map(gapText)),
    ...(silence === undefined || silence.ms === 0
      ? []
      : [`  silence      at most ${mostLengthText(silence.ms)}, from ${momentText(silence.from)}`]),
    `  hash         ${hash}`,
  ].join('\n');
}

/** What ids tell of gaps. */
function proofText({ contiguousIds, storedDuplicates }: Certificate): string {
  if (!contiguousIds) return '';
  return storedDuplicates === 0
    ? ' (ids are contiguous: every trade missing between those here shows)'
    : ' (ids that came twice do not show every trade that is missing)';
}

/** The faults of bars; each of them makes a backtest refuse the recording. */
function barFaultLines({ barFaults = [], barMs = 0 }: Certificate): string[] {
  const length = durationText(barMs);
  return barFaults.map(({ kind, bars, first }) =>
    kind === 'length'
      ? `  unfit        bars must be of a length that divides a day, received ${length}: no backtest reads them`
      : `  off grid     ${counted(bars, 'bar')}, the first at ${momentText(first)}: ` +
        `each must open at a multiple of ${length} since 1970 UTC, no backtest reads others`,
  );
}

function faultLines(certificate: Certificate): string[] {
  const { duplicates, duplicateTrades, outOfOrder, reordered, clockJumps, jumps } = certificate;
  return [
    `  duplicates   ${duplicates}`,
    ...listed(
      duplicateTrades.map(
        ({ id, time, repaired }) => `trade ${id} of ${momentText(time)}${repaired ? REPAIRED : ''}`,
      ),
    ),
    `  out of order ${outOfOrder}`,
    ...listed(
      reordered.map(
        ({ firstId, lastId, from, to, trades, repaired }) =>
          `${counted(trades, 'trade')}, ${firstId} to ${lastId}, ${momentText(from)} to ${momentText(to)}${repaired ? REPAIRED : ''}`,
      ),
    ),
    `  clock jumps  ${clockJumps}`,
    ...listed(
      jumps.map(({ id, time, backMs }) => `back by ${backMs} ms at trade ${id}, to ${momentText(time)}`),
    ),
  ];
}

const REPAIRED = ' (in an imported file, put right)';

function listed(lines: readonly string[]): string[] {
  const more = lines.length - MOST_LISTED;
  return [
    ...lines.slice(0, MOST_LISTED).map((line) => `    ${line}`),
    ...(more > 0 ? [`    and ${more} more (--json lists them)`] : []),
  ];
}

const MOST_LISTED = 10;

function severalLine(gaps: readonly CertifiedGap[]): string[] {
  const several = gaps.filter(isSeveral).length;
  if (several === 0) return [];
  return [
    `    ${several} of them ${several === 1 ? 'is' : 'are each'} several that lie close together: no more than ${MOST_GAPS} are told`,
  ];
}

/** Whether several gaps are reported as one, so that not all ids in between are missing. */
function isSeveral({ missing, ids }: CertifiedGap): boolean {
  return missing !== undefined && ids !== undefined && missing < ids[1] - ids[0] + 1;
}

function gapText(gap: CertifiedGap): string {
  const { from, to, missing, evidence } = gap;
  const count = missing === undefined ? 'some' : `${missing}${isSeveral(gap) ? ' in several gaps' : ''}`;
  const what = evidence === 'times' ? `${count} ${missing === 1 ? 'bar' : 'bars'}` : count;
  return `${momentText(from)} to ${momentText(to)}: ${what} missing (${EVIDENCE[evidence]})`;
}

const EVIDENCE = {
  ids: 'ids show it',
  recorder: 'the recorder says so',
  times: 'times show it',
  files: 'a day before it has no file, or lost its end',
} as const;
