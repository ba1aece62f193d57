/** Runs several strategies on one account, each on a market of its own, over recordings that are merged by time. */
import { InvariantError } from '../model/errors.js';
import { FactHash } from '../storage/facts/fact-hash.js';
import { RowHash } from '../storage/certificate/row-hash.js';
import { type FillModel, fillModels, QUEUE } from '../venue/tape/fill-model.js';
import { tapeVenues } from '../venue/tape/tape-venue.js';
import { accountHeadlineId, type AccountResult, accountResult } from './account-result.js';
import { AccountSession } from './account-session.js';
import type { BacktestOptions } from './backtest-options.js';
import { type KnownTrades, knownTrades } from './known-trades.js';
import type { ReadData } from './run-data.js';
import { runInputs } from './run-inputs.js';
import { type AccountSeries, accountSeries } from './series.js';
import { ofItsOwn, sessionParts } from './session-parts.js';
import { type AccountRun, SharedAccount } from './shared-account.js';
import { SharedWatch } from './shared-watch.js';

/** One strategy of the account. It gets trades as they happen; an account has no poll schedule. */
export type AccountPart = Pick<
  BacktestOptions,
  'strategy' | 'fresh' | 'strategyHash' | 'recording' | 'limits'
> & {
  /** Converts an error of the strategy into one to show to a person. */
  readonly explain?: (error: unknown) => unknown;
};

/** Like the options of one strategy; `capital` is that of the account. */
export type AccountOptions = Pick<
  BacktestOptions,
  'capital' | 'fill' | 'latencyMs' | 'jitterMs' | 'slippageTicks' | 'seed' | 'engineVersion'
> & {
  /** At least one. All markets have the same quote asset, and no two parts the same market. */
  readonly parts: readonly AccountPart[];
  /** Called after each chunk with the number of trades so far and the headline account. */
  readonly onProgress?: (trades: number, account: SharedAccount) => void;
};

/** Equal inputs give an equal result, to the byte. */
export async function runAccountBacktest(options: AccountOptions): Promise<{
  readonly result: AccountResult;
  /** See `Trial`. */
  readonly headlineId: string;
  readonly series: AccountSeries;
  /** What was read for each part, in order; `lastFact` as of `BacktestRun`. */
  readonly read: readonly (Pick<ReadData, 'to'> & { readonly lastFact: number | undefined })[];
}> {
  const { parts, onProgress, ...shared } = options;
  const ofPart = parts.map((part): BacktestOptions => ({ ...shared, ...part }));
  const models = fillModels(options.fill ?? 'all');
  const runs = await Promise.all(models.map((model, index) => accountRun(ofPart, model, index)));
  const headline = runs.find(({ model }) => model === QUEUE.name) ?? runs[0];
  if (headline === undefined) throw new InvariantError('an account must be run by at least one fill model');
  const tapes = ofPart.map(({ recording }) => new Tape(recording));
  const trades = () => tapes.reduce((sum, tape) => sum + tape.trades, 0);
  try {
    await merge(tapes, runs, parts, () => onProgress?.(trades(), headline.account));
  } finally {
    for (const tape of tapes) await tape.close();
  }
  const read = tapes.map((tape) => tape.read);
  const inputs = ofPart.map((part, at) => runInputs(part, read[at] as ReadData));
  const result = accountResult(runs, headline, inputs);
  return {
    result,
    headlineId: accountHeadlineId(inputs, headline.model),
    series: accountSeries(result.runId, runs, headline, Number(options.capital)),
    read: tapes.map(({ read: { to }, lastFact }) => ({ to, lastFact })),
  };
}

/** Runs to the end of all recordings, whatever becomes of the accounts. */
async function merge(
  tapes: readonly Tape[],
  runs: readonly AccountRun[],
  parts: readonly AccountPart[],
  onTurn: () => void,
): Promise<void> {
  let needed = 0;
  for (let index: number | undefined = 0; index !== undefined; ) {
    await (tapes[index] as Tape).turn(runs, index);
    needed++;
    onTurn();
    index = needed < tapes.length ? needed : goOn(runs, parts);
  }
  for (const { account } of runs) account.end();
  // If every account was ruined, the recordings have further trades. They are read to the end, because the result names
  // all data.
  for (const [index, tape] of tapes.entries()) while (!tape.isOver) await tape.turn(runs, index);
}

async function accountRun(
  parts: readonly BacktestOptions[],
  model: FillModel,
  index: number,
): Promise<AccountRun> {
  const made = await Promise.all(
    parts.map(async (part) => sessionParts(await ofItsOwn(part, index), model, false)),
  );
  const venues = tapeVenues(made.map(({ venue }) => venue));
  const { capital = '0', recording } = parts[0] ?? {};
  const watch = new SharedWatch(Number(capital), 10 ** (recording?.market.quotePrecision ?? 0));
  const sessions = made.map(({ session }, at) => {
    const venue = venues[at];
    if (venue === undefined) throw new InvariantError('a venue must be made for each market');
    return new AccountSession({ ...session, venue }, watch);
  });
  return { model: model.name, account: new SharedAccount(sessions, watch) };
}

/**
 * Runs all accounts until they need the next trades of a recording. That is the same one for all, since the merge depends
 * on the data only.
 */
function goOn(runs: readonly AccountRun[], parts: readonly AccountPart[]): number | undefined {
  let needed: number | undefined;
  for (const { account } of runs) {
    try {
      needed = account.run() ?? needed;
    } catch (error) {
      const explain = parts[account.active]?.explain;
      throw explain === undefined ? error : explain(error);
    }
  }
  return needed;
}

/** Reads a recording once for all fill models. */
class Tape {
  trades = 0;
  isOver = false;
  #from = Number.NaN;
  #to = Number.NaN;
  readonly #trades: AsyncGenerator<KnownTrades, void, undefined>;
  readonly #hash = new RowHash();
  readonly #factHash = new FactHash();

  constructor(recording: BacktestOptions['recording']) {
    this.#trades = knownTrades(recording);
  }

  /** Passes the next trades to the session of this index in each account, or tells it that there are none. */
  async turn(runs: readonly AccountRun[], index: number): Promise<void> {
    const next = await this.#trades.next();
    if (next.done === true) {
      this.isOver = true;
      for (const { account } of runs) account.finish(index);
      return;
    }
    const { trades, facts } = next.value;
    if (this.trades === 0) this.#from = trades.time[0] as number;
    this.#to = trades.time[trades.count - 1] as number;
    for (const { account } of runs) {
      if (account.ruinedAt === undefined) account.open(index, trades, facts);
    }
    this.#hash.update(trades);
    this.#factHash.update(facts);
    this.trades += trades.count;
  }

  /** Stops reading. */
  async close(): Promise<void> {
    await this.#trades.return();
  }

  get lastFact(): number | undefined {
    return this.#factHash.last;
  }

  get read(): ReadData {
    return { from: this.#from, to: this.#to, hash: this.#hash.digest(), factsHash: this.#factHash.digest() };
  }
}
