import { counted } from '../../model/counted.js';
import { shellWord } from '../../model/shell-word.js';
import { durationText } from '../../model/duration.js';
import { UsageError } from '../../model/errors.js';
import type { VolumeUnit } from '../../storage/import/bar-parser.js';
import { type BarImportResult, importData } from '../../storage/import/import-bars.js';
import type { ImportResult } from '../../storage/import/import-trades.js';
import { parseMarketText, type RecordedMarket } from '../../storage/rows/market-file.js';
import { withConnection } from '../connection/connection.js';
import type { Files } from '../../ports/files.js';
import { pairDirectory } from '../../storage/rows/layout.js';
import { demandFolder } from '../output/output-file.js';
import { marketSpecOf } from '../../storage/market-spec.js';
import { assetsOf } from '../../storage/pair-assets.js';
import { asOnlyWriter } from '../record/only-writer.js';
import { demandedAgain } from '../record/unfinished-warning.js';
import { chooseMarket } from '../settings/pair.js';
import { builtInMarket } from '../venue/tape.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import { momentText } from '../view/moment.js';
import { printJson, printText, say } from '../view/output.js';

export interface DataImportOptions {
  readonly pair: string;
  readonly out: string;
  readonly market?: string | undefined;
  readonly volume?: VolumeUnit | undefined;
  readonly json?: true | undefined;
}

export async function dataImport(file: string, options: DataImportOptions): Promise<ExitCode> {
  const machine = thisMachine();
  const { pair, out: directory } = options;
  const market = options.market === undefined ? undefined : await givenMarket(machine, options.market, pair);
  await demandFolder(machine.files, '--out', directory);
  const work = () =>
    importData(machine.files, {
      sources: [file],
      directory,
      pair,
      market,
      unlessKnown: builtInMarket(pair),
      volume: options.volume,
    });
  const result = await leavingNoFolder(machine.files, directory, () =>
    leavingNoFolder(machine.files, pairDirectory(directory, pair), () =>
      asOnlyWriter(machine, directory, [pair], work),
    ),
  );
  for (const warning of warningsOf(result, directory)) await say(`warning: ${warning}`);
  if (options.json === true) await printJson(resultJson(result));
  else await printText(resultText(result, directory));
  if (result.kind === 'bars' || result.storedDuplicates === 0) return EXIT.ok;
  await say(
    `failed: an id must be of one trade, received ${result.storedDuplicates} more with the id of another one ` +
      `(tickwright data check ${shellWord(directory)} lists them)`,
  );
  return EXIT.checkFailed;
}

function warningsOf(result: ImportResult | BarImportResult, directory: string): string[] {
  const { pair, market, beyondFilters, finerThanGrid, kind, owed } = result;
  const warnings: string[] = [];
  if (owed.length > 0) {
    warnings.push(demandedAgain(pair, { folder: pairDirectory(directory, pair), sources: owed }));
  }
  const { base, quote, isAssumed } = assetsOf(pair);
  if (market === 'inferred' && isAssumed) {
    warnings.push(
      `--pair must tell base and quote asset, received ${pair}: taken for base ${base}, quote ${quote} ` +
        '(BASE_QUOTE names both, and so does --market FILE)',
    );
  }
  if (result.kind === 'trades' && result.unordered > 0) {
    warnings.push(
      `ids of ${pair} are no numbers, and do not tell what came first within a millisecond: ` +
        `${counted(result.unordered, 'trade')} ${result.unordered === 1 ? 'stands' : 'stand'} in another order than in the file ` +
        '(bars and their like are the same; what a strategy makes of single trades may not be)',
    );
  }
  for (const where of result.withoutLineEnd) {
    warnings.push(
      `${where} must end with a line end, received none: if the file was cut off there, its last field lacks digits ` +
        '(imported all the same)',
    );
  }
  if (beyondFilters !== undefined) {
    const { prints, where, field, received, max } = beyondFilters;
    const what = counted(prints, kind === 'bars' ? 'bar' : 'trade');
    warnings.push(
      `${what} of ${pair} ${prints === 1 ? 'is' : 'are'} beyond the filters of its market (${market}), the first at ${where}: ` +
        `${field} must be at most ${max}, received ${received} (imported all the same)`,
    );
  }
  for (const [field, step] of Object.entries(finerThanGrid ?? {})) {
    warnings.push(
      `${field === 'price' ? 'prices' : 'quantities'} of ${pair} have more digits than a grid holds: ` +
        `its market was inferred with a ${field} step of ${step} (--market FILE names the real one)`,
    );
  }
  return warnings;
}

/** Runs an import. If it fails, removes the folder if it is empty and was not there before. */
async function leavingNoFolder<T>(files: Files, folder: string, work: () => Promise<T>): Promise<T> {
  const wasThere = (await files.stat(folder)) !== undefined;
  try {
    return await work();
  } catch (error) {
    const isEmpty = !wasThere && (await files.list(folder).catch(() => [])).length === 0;
    if (isEmpty) await files.remove(folder);
    throw error;
  }
}

/** The market's specification, from a file or from a venue that lists it. */
async function givenMarket(machine: Machine, source: string, pair: string): Promise<RecordedMarket> {
  const spec = /^https?:\/\//.test(source)
    ? await withConnection(machine, { url: source }, async ({ api }) =>
        marketSpecOf(await chooseMarket(api, pair)),
      )
    : parseMarketText(source, await machine.files.readText(source));
  if (spec.pair !== pair) {
    throw new UsageError(
      'TICKWRIGHT_E_MARKET_FILE',
      `${source} must hold the market ${pair}, received ${spec.pair}`,
    );
  }
  return { spec, source: 'given' };
}

function resultJson({ from, to, owed, withoutLineEnd, ...counts }: ImportResult | BarImportResult) {
  return {
    ...counts,
    ...(owed.length === 0 ? {} : { owed }),
    ...(withoutLineEnd.length === 0 ? {} : { withoutLineEnd }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

const SORTED = 'the file was in another order, sorted';

function resultText(result: ImportResult | BarImportResult, directory: string): string {
  const { pair, duplicates, skipped, market, from, to } = result;
  const stretch = from === undefined || to === undefined ? '' : `, ${momentText(from)} to ${momentText(to)}`;
  const others = skipped === 0 ? '' : `, ${counted(skipped, 'line')} of other pairs passed over`;
  if (result.kind === 'bars') {
    const unit =
      result.volume === 'base'
        ? 'volumes are base units (--volume quote says otherwise)'
        : 'volumes in quote units were divided by the typical price (high + low + close) / 3';
    return `${pair}: ${counted(result.bars, 'bar')} of ${durationText(result.barMs)} imported into ${directory}${stretch}; ${counted(duplicates, 'duplicate')}, ${result.sorted > 0 ? `${SORTED}, ` : ''}${counted(result.gaps, 'gap')}${others}; ${unit}; market ${market}`;
  }
  const { trades, reordered, sorted, gaps } = result;
  const order = sorted > 0 ? SORTED : `${reordered} stretches in a wrong place`;
  return `${pair}: ${counted(trades, 'trade')} imported into ${directory}${stretch}; ${counted(duplicates, 'duplicate')}, ${order}, ${counted(gaps, 'gap')}${others}; market ${market}`;
}
