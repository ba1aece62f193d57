import { UsageError } from '../../model/errors.js';
import { type Certificate, type CertifiedGap, checkRecordings } from '../../storage/certificate.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { bytesText } from '../view/bytes-text.js';
import { lengthText, momentText } from '../view/moment.js';
import { printJson, printText } from '../view/output.js';

export interface DataCheckOptions {
  readonly pair?: string | undefined;
  readonly json?: true | undefined;
}

/** A recording that is out of order or has trades twice is broken; gaps are facts of the feed and only told. */
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
    if (only === undefined || others.length > 0) {
      throw new UsageError(
        'TICKWRIGHT_E_PAIR',
        `--pair must be given with --json, received none; they are: ${names}`,
      );
    }
    await printJson(certificateJson(only));
  } else {
    await printText(chosen.map(certificateText).join('\n\n'));
  }
  const broken = chosen.some(({ duplicates, outOfOrder }) => duplicates > 0 || outOfOrder > 0);
  return broken ? EXIT.checkFailed : EXIT.ok;
}

function certificateJson({ gaps, longestSilence, ...facts }: Certificate) {
  return { ...facts, gaps: gaps.map(gapJson), ...(longestSilence === undefined ? {} : { longestSilence }) };
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
  const { pair, trades, gaps, duplicates, outOfOrder, clockJumps, from, to, bytes, hash } = certificate;
  const stretch =
    from === undefined || to === undefined ? 'empty' : `${momentText(from)} to ${momentText(to)}`;
  const silence = certificate.longestSilence;
  const lines = [
    `${pair}: ${trades} trades, ${stretch}, ${bytesText(bytes)}`,
    `  duplicates   ${duplicates}`,
    `  out of order ${outOfOrder}`,
    `  clock jumps  ${clockJumps}`,
    `  gaps         ${gaps.length}${certificate.contiguousIds ? ' (ids are contiguous: every missing trade shows)' : ''}`,
    ...gaps.slice(0, MOST_GAPS).map((gap) => `    ${gapText(gap)}`),
    ...(gaps.length > MOST_GAPS ? [`    and ${gaps.length - MOST_GAPS} more (--json lists all)`] : []),
    ...(silence === undefined
      ? []
      : [`  silence      at most ${lengthText(silence.ms)}, from ${momentText(silence.from)}`]),
    `  hash         ${hash}`,
  ];
  return lines.join('\n');
}

const MOST_GAPS = 10;

function gapText({ from, to, missing, evidence }: CertifiedGap): string {
  const count = missing === undefined ? 'some' : String(missing);
  return `${momentText(from)} to ${momentText(to)}: ${count} missing (${evidence === 'ids' ? 'ids show it' : 'the recorder says so'})`;
}
