/** Shows what became of the holdout of a parameter search. */
import type { HoldoutEvent } from '../../backtest/holdouts.js';
import type { ObjectiveName } from '../../backtest/search/objective.js';
import type { Stretch } from '../../backtest/search/stretches.js';
import { counted } from '../../model/counted.js';
import type { FinishedRun } from '../backtest/backtest-run.js';
import { reasonText } from '../report-error.js';
import { headlineText, shareText } from './backtest-view.js';
import { firstLine } from './first-line.js';
import { momentText } from './moment.js';

export interface HoldoutFacts {
  readonly stretch: Stretch;
  /** Earlier runs and searches that looked at a part of the holdout; `undefined` if that could not be read. */
  readonly before: readonly HoldoutEvent[] | undefined;
  /**
   * - `sealed`: it is kept for later
   * - `opened`: this search looked at it, or began to
   * - `unopened`: this search was to look at it and did not; whether its seal is taken back is decided after the result
   */
  readonly state: 'sealed' | 'opened' | 'unopened';
  /** The run of the best parameters on the holdout; absent if it was left sealed or failed. */
  readonly run?: FinishedRun;
  /** Why there is no such run, though there was to be one. */
  readonly failed?: { readonly error: unknown };
}

export function holdoutJson(
  { stretch, before, state, run, failed }: HoldoutFacts,
  objective: ObjectiveName,
): object {
  const seenBefore = before?.map(({ runId, strategy }) => ({ runId, strategy })) ?? null;
  if (failed !== undefined) return { ...stretch, state, seenBefore, failed: reasonText(failed.error) };
  if (run === undefined) return { ...stretch, state, seenBefore };
  const { runId, pnl, headline, verdict, sharpe, maxDrawdown, fills, roundTrips, metrics } = run.result;
  const figures = { pnl: pnl[headline] ?? '0', sharpe, calmar: metrics.calmar };
  const score = figures[objective];
  return {
    ...stretch,
    state,
    seenBefore,
    runId,
    objective: score,
    pnl,
    verdict,
    sharpe,
    calmar: metrics.calmar,
    maxDrawdown,
    fills,
    roundTrips,
  };
}

export function holdoutLines(holdout: HoldoutFacts | undefined): readonly string[] {
  if (holdout === undefined) return [];
  const { stretch, run, failed } = holdout;
  const title = `holdout ${momentText(stretch.from)} to ${momentText(stretch.to)}: ${stateText(holdout)}`;
  if (failed !== undefined) return ['', title, `  no result: ${firstLine(reasonText(failed.error))}`];
  if (run === undefined) return ['', title];
  const { result } = run;
  return [
    '',
    title,
    `  ${headlineText(result)}, max drawdown ${shareText(result.maxDrawdown)}, ${counted(result.roundTrips, 'round trip')}, run ${result.runId}`,
  ];
}

/** `of`: what became of it; `unseen`: the same where nobody looked before. */
const STATES = {
  sealed: { of: 'sealed', unseen: 'sealed, and nobody looked' },
  opened: { of: 'looked at', unseen: 'opened, once and for all' },
  unopened: { of: 'not opened', unseen: 'not opened' },
} as const;

function stateText({ state, before }: HoldoutFacts): string {
  const { of, unseen } = STATES[state];
  if (before === undefined) return `${of}; who looked before could not be read`;
  return before.length === 0 ? unseen : `${of}${seenText(before)}`;
}

/** Runs and searches of this project that looked before, whenever that was. */
function seenText(before: readonly HoldoutEvent[]): string {
  const runs = before.filter(({ runId }) => runId !== null).length;
  const looks = before.filter(({ runId, look }) => runId === null && look !== undefined).length;
  const searches = before.length - runs - looks;
  const who = [
    ...(searches === 0 ? [] : [counted(searches, 'search', 'searches')]),
    ...(runs === 0 ? [] : [counted(runs, 'run')]),
    ...(looks === 0 ? [] : [counted(looks, 'look without a result', 'looks without a result')]),
  ];
  return `, though it was seen before, by ${who.join(' and ')}: it is no longer unseen`;
}
