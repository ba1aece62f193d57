/** Saved runs: a folder each, with the result and everything needed to repeat the run. */
import { join } from 'node:path';
import { UsageError } from '../model/errors.js';
import { FileMissing, type Files } from '../ports/files.js';
import type { InferredGrid } from '../storage/infer-market.js';
import type { FillModelName } from '../venue/tape/fill-model.js';
import type { AccountResult } from './account-result.js';
import { checkRecipe, checkResult } from './check-run.js';
import type { BacktestResult } from './result.js';
import type { AccountSeries, RunSeries } from './series.js';

/** Everything that is needed to repeat a backtest. */
export interface RunRecipe {
  readonly schemaVersion: 1;
  readonly runId: string;
  readonly engine: string;
  /** The file, and SHA-256 of its bundled code; parameters as a person writes them. */
  readonly strategy: {
    readonly file: string;
    readonly sha256: string;
    readonly params: Readonly<Record<string, string>>;
  };
  /** Absolute paths; ms, inclusive and exclusive, `null` where no bound was given; hash of the trades. */
  readonly data: {
    readonly paths: readonly string[];
    readonly pair: string;
    readonly from: number | null;
    readonly to: number | null;
    /**
     * ms, of the last trade that was read, or the last one of a bar: what was recorded since is not of this run. `null`
     * where nothing was read; absent in a run that was saved before this was written down.
     */
    readonly last?: number | null | undefined;
    /**
     * The same of the facts besides trades: a recorder may write a ticker after a later trade. `null` where there were none.
     */
    readonly lastFact?: number | null | undefined;
    /** The grid of a market that was inferred, as it was then; absent of any other, and in older runs. */
    readonly inferred?: InferredGrid | undefined;
    readonly hash: string;
  };
  readonly options: {
    readonly capital: string;
    readonly fill: FillModelName | 'all';
    readonly latencyMs: number | null;
    readonly jitterMs: number | null;
    readonly slippageTicks: number | null;
    /** An interval, or the absolute path of a session. */
    readonly poll: string | null;
    /** The last poll of that session so far, ms; absent of an interval, and in older runs. */
    readonly polledTo?: number | undefined;
    readonly seed: number;
    /** Those that are set. */
    readonly limits: Readonly<Record<string, unknown>>;
  };
}

/** Like `RunRecipe`, for several strategies on one account. */
export interface AccountRecipe {
  readonly schemaVersion: 1;
  readonly runId: string;
  readonly engine: string;
  /**
   * In the order in which they were given; each with its pair, the limits that are set, and of its data
   * last, lastFact, inferred and hash.
   */
  readonly strategies: readonly (RunRecipe['strategy'] &
    Pick<RunRecipe['data'], 'pair' | 'last' | 'lastFact' | 'inferred' | 'hash'> &
    Pick<RunRecipe['options'], 'limits'>)[];
  /** `hash`: over those of all pairs. */
  readonly data: Omit<RunRecipe['data'], 'pair' | 'last' | 'lastFact' | 'inferred'>;
  readonly options: Omit<RunRecipe['options'], 'poll' | 'polledTo' | 'limits'>;
}

/** A result with what is needed to repeat its run. */
export type RecordedRun =
  | { readonly recipe: RunRecipe; readonly result: BacktestResult }
  | { readonly recipe: AccountRecipe; readonly result: AccountResult };

export type SavedRun = RecordedRun & {
  readonly folder: string;
  /** As it stands in the file. */
  readonly resultText: string;
};

const RESULT = 'result.json';
const RECIPE = 'run.json';
const SERIES = 'series.json';
const ID = /^[0-9a-f]{1,16}$/;

export const documentText = (document: object): string => `${JSON.stringify(document)}\n`;

/** Writes a run. The same run again gives the same result, and keeps the bounds that one of the two was given. */
export async function saveRun(
  files: Files,
  registry: string,
  run: RecordedRun & { readonly series: RunSeries | AccountSeries },
): Promise<string> {
  const folder = join(registry, run.result.runId);
  await files.makeDirectory(folder);
  await files.writeAtomic(join(folder, SERIES), documentText(run.series));
  await files.writeAtomic(join(folder, RECIPE), documentText(await bounded(files, folder, run.recipe)));
  await files.writeAtomic(join(folder, RESULT), documentText(run.result));
  return folder;
}

/** Runs of the same id saw the same data, so a run without bounds takes over those of an earlier one. */
async function bounded(
  files: Files,
  folder: string,
  recipe: RecordedRun['recipe'],
): Promise<RecordedRun['recipe']> {
  const { from, to } = recipe.data;
  if (from !== null && to !== null) return recipe;
  const before = await savedBounds(files, join(folder, RECIPE));
  const data = { ...recipe.data, from: from ?? before.from, to: to ?? before.to };
  return { ...recipe, data } as RecordedRun['recipe'];
}

/** No bounds if there is no valid recipe yet; then a new one is written. */
async function savedBounds(files: Files, path: string): Promise<Pick<RunRecipe['data'], 'from' | 'to'>> {
  try {
    const recipe = parse<RecordedRun['recipe']>(path, await files.readText(path));
    checkRecipe(path, recipe);
    return recipe.data;
  } catch (error) {
    if (error instanceof FileMissing || error instanceof UsageError) return { from: null, to: null };
    throw error;
  }
}

/**
 * A run by its id, the beginning of it, or its folder.
 *
 * @throws UsageError when there is none, or several, or where its files are not those of a run
 */
export async function findRun(files: Files, registry: string, name: string): Promise<SavedRun> {
  const folder = await folderOf(files, registry, name);
  const resultText = await textAt(files, join(folder, RESULT));
  const recipe = parse<RecordedRun['recipe']>(
    join(folder, RECIPE),
    await textAt(files, join(folder, RECIPE)),
  );
  checkRecipe(join(folder, RECIPE), recipe);
  const result = parse<RecordedRun['result']>(join(folder, RESULT), resultText);
  checkResult(join(folder, RESULT), result);
  return { folder, resultText, ...({ recipe, result } as RecordedRun) };
}

async function folderOf(files: Files, registry: string, name: string): Promise<string> {
  if ((await files.stat(join(name, RESULT))) !== undefined) return name;
  const there = await files.stat(registry);
  const runs = there === undefined ? [] : await files.list(registry);
  const found = ID.test(name)
    ? runs.filter((entry) => entry.kind === 'directory' && entry.name.startsWith(name))
    : [];
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only.path;
  throw usage(
    `a run must be the id of one in ${registry}, or its folder, received ${name}` +
      (found.length > 1 ? `, with which ${found.length} of them begin${namesOf(found)}` : ''),
  );
}

const MOST_NAMES = 5;

function namesOf(found: readonly { readonly name: string }[]): string {
  const names = found.slice(0, MOST_NAMES).map(({ name }) => name);
  return `: ${names.join(', ')}${found.length > MOST_NAMES ? ', …' : ''}`;
}

async function textAt(files: Files, path: string): Promise<string> {
  try {
    return await files.readText(path);
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error;
    throw usage(`a run must hold ${RESULT} and ${RECIPE}, received no ${path}`);
  }
}

function parse<Document extends { readonly schemaVersion: 1 }>(path: string, text: string): Document {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw usage(`${path} must be a JSON document, received one that is none: ${(error as Error).message}`);
  }
  if ((document as { schemaVersion?: unknown } | null)?.schemaVersion !== 1) {
    throw usage(
      `${path} must be a JSON document with "schemaVersion": 1, received ${text.slice(0, 60).trim()}`,
    );
  }
  return document as Document;
}

function usage(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_RUN', message);
}
