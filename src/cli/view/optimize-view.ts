/** Shows the result of a parameter search. */
import type { SearchLuck } from '../../backtest/search/luck-of-search.js';
import { objectiveOf, type ObjectiveName } from '../../backtest/search/objective.js';
import type { Entry, FoldEnd, Optimized } from '../../backtest/search/optimize.js';
import type { Texts } from '../../backtest/search/space.js';
import type { TrialEnd, TrialOutcome } from '../../backtest/search/trial.js';
import { overlapText, trialCount, type TrialVerdict } from '../../backtest/trials.js';
import { counted } from '../../model/counted.js';
import type { FinishedRun } from '../backtest/backtest-run.js';
import { headlineText, orderLines, shareText } from './backtest-view.js';
import { decimalText, gainText, roundedText } from './decimal-text.js';
import { firstLine } from './first-line.js';
import { type HoldoutFacts, holdoutJson, holdoutLines } from './holdout-view.js';
import { momentText } from './moment.js';
import { table } from './table.js';

export interface OptimizeFacts {
  readonly strategy: string;
  /** Parameters that were not searched. */
  readonly fixed: Texts;
  readonly pair: string;
  readonly space: Texts;
  /** Number of points in the space; `undefined` if it is infinite. */
  readonly size: number | undefined;
  readonly method: string;
  readonly objective: ObjectiveName;
  readonly fill: string;
  readonly budget: number;
  readonly seed: number;
  readonly found: Optimized;
  /** First and last print of the searched stretch, ms. */
  readonly searched: { readonly from: number; readonly to: number };
  /** The run of the best parameters over the searched stretch; it ends earlier if the account was ruined. */
  readonly run: FinishedRun;
  /** Folder that the run was saved to; `undefined` if it was not. */
  readonly folder: string | undefined;
  readonly luck: SearchLuck | undefined;
  readonly trials: TrialVerdict;
  readonly holdout: HoldoutFacts | undefined;
  readonly runsPerSecond: number;
}

const SHOWN = 10;
const SHOWN_REASONS = 5;
const EVIDENCE = 0.95;

/** Parameters like `fast=5 slow=20`. */
export function settingsText(texts: Texts): string {
  return Object.entries(texts)
    .map(([name, text]) => `${name}=${text}`)
    .join(' ');
}

/**
 * The output of `optimize --json` (`cli.md`). Equal inputs give equal bytes, except for `runsPerSecond` and facts about
 * earlier trials.
 */
export function optimizeJson(facts: OptimizeFacts): object {
  const { found, run, luck, trials, holdout, objective } = facts;
  const best = found.ranking[0] as Entry;
  return {
    schemaVersion: 1,
    strategy: facts.strategy,
    pair: facts.pair,
    from: facts.searched.from,
    to: facts.searched.to,
    space: facts.space,
    method: facts.method,
    objective,
    fill: facts.fill,
    budget: facts.budget,
    seed: facts.seed,
    trials: found.ranking.length + found.failed.length,
    failed: found.failed.length,
    failures: [...reasonsOf(found)].map(([reason, count]) => ({ reason, count })),
    best: {
      params: run.recipe.strategy.params,
      objective: scoreText(best.score),
      trial: best.number,
      runId: run.result.runId,
      pnl: run.result.pnl,
      verdict: run.result.verdict,
      ...figuresOf(best.outcome),
    },
    ranking: found.ranking.slice(0, SHOWN).map(({ number, texts, score, outcome }) => ({
      trial: number,
      params: texts,
      objective: scoreText(score),
      pnl: outcome.pnl,
      ...figuresOf(outcome),
    })),
    trialsOnData: trials.trials,
    deflatedSharpe: trials.deflatedSharpe,
    effectiveTrials: luck?.effectiveTrials ?? null,
    overfitting: luck?.overfitting ?? null,
    walkForward: found.folds.map((fold) => foldJson(objective, fold)),
    holdout: holdout === undefined ? null : holdoutJson(holdout, objective),
    runsPerSecond: facts.runsPerSecond,
  };
}

function figuresOf({ sharpe, calmar, maxDrawdown, fills, roundTrips }: TrialOutcome) {
  return { sharpe, calmar, maxDrawdown, fills, roundTrips };
}

function foldJson(objective: ObjectiveName, { fold, end }: FoldEnd): object {
  const { from, to } = fold.outside;
  if ('why' in end) return { from, to, failed: end.why };
  const { chosen, outside } = end;
  return {
    from,
    to,
    params: chosen.texts,
    inSample: { objective: scoreText(chosen.score), pnl: chosen.outcome.pnl, ...figuresOf(chosen.outcome) },
    outOfSample: outsideJson(objective, outside),
  };
}

function outsideJson(objective: ObjectiveName, end: TrialEnd): object {
  if (end.kind === 'failed') return { failed: end.reason };
  const { outcome } = end;
  return { objective: scoreText(objectiveOf(objective, outcome)), pnl: outcome.pnl, ...figuresOf(outcome) };
}

/** `trials`, `report`: the output files. */
export function optimizeText(
  facts: OptimizeFacts,
  files: { readonly trials?: string | undefined; readonly report?: string | undefined },
): string {
  const { found, run, objective, pair, strategy, searched } = facts;
  const { result } = run;
  const best = found.ranking[0] as Entry;
  const failed = found.failed.length;
  return [
    `${strategy} on ${pair}, ${momentText(searched.from)} to ${momentText(searched.to)}: ${counted(found.ranking.length + failed, 'trial')} by ${facts.method}${sizeText(facts)}${failed === 0 ? '' : `, ${failed} failed`}, ${facts.runsPerSecond.toFixed(1)} runs a second`,
    ...failureLines(found),
    '',
    `  best ${objective.padEnd(8)} ${scoreShown(objective, best.score)}: ${settingsText(best.texts)}`,
    `  all models    ${headlineText(result)}`,
    `  max drawdown  ${shareText(best.outcome.maxDrawdown)}, ${counted(best.outcome.roundTrips, 'round trip')}`,
    ...orderLines(result),
    ...luckLines(facts),
    '',
    rankingText(facts),
    ...walkLines(facts),
    ...holdoutLines(facts.holdout),
    '',
    `Fills are simulated on recorded ${result.data.kind} by the ${facts.fill} model. The best of many looks better than it is.`,
    `parameters: --set ${settingsText({ ...facts.fixed, ...best.texts })}`,
    `run ${result.runId}${facts.folder === undefined ? '' : `, in ${facts.folder}; tickwright verify ${result.runId} runs it again`}`,
    ...(files.trials === undefined ? [] : [`trials ${files.trials}`]),
    ...(files.report === undefined ? [] : [`report ${files.report}`]),
  ].join('\n');
}

/** Number of failed trials by reason. */
function reasonsOf({ failed }: Optimized): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { reason } of failed) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}

/**
 * The most frequent reasons of failures. Only some are shown, because a reason that contains a number differs for each
 * trial.
 */
function failureLines(found: Optimized): readonly string[] {
  const reasons = [...reasonsOf(found)].sort(([, a], [, b]) => b - a);
  const shown = reasons.slice(0, SHOWN_REASONS);
  const others = reasons.slice(SHOWN_REASONS);
  const rest = others.reduce((sum, [, count]) => sum + count, 0);
  return [
    ...shown.map(([reason, count]) => `${counted(count, 'trial')} failed: ${firstLine(reason)}`),
    ...(rest === 0
      ? []
      : [
          `${counted(rest, 'trial')} failed for ${counted(others.length, 'other reason')}, all of which --json has`,
        ]),
  ];
}

function sizeText({ size, method }: OptimizeFacts): string {
  return size === undefined || method === 'grid' ? '' : ` of ${counted(size, 'point')}`;
}

function luckLines({ trials, luck, found, run }: OptimizeFacts): readonly string[] {
  const { deflatedSharpe } = trials;
  const worth =
    luck === undefined
      ? ''
      : `; the ${found.ranking.length} of this search are worth ${luck.effectiveTrials.toFixed(1)} with nothing in common`;
  return [
    deflatedSharpe === null
      ? `  luck          ${trialCount(trials)} on this data${overlapText(trials)}; no deflated Sharpe: ${whyNoSharpe(run)}`
      : `  luck          deflated Sharpe ${deflatedSharpe.toFixed(2)} after ${trialCount(trials)}${overlapText(trials)}` +
        (deflatedSharpe < EVIDENCE ? ', no evidence of skill (that begins at 0.95)' : '') +
        worth,
    ...(luck === undefined
      ? []
      : [
          `  overfitting   in ${shareText(decimalText(luck.overfitting))} of halves the best was not above the middle in the other half (noise: 50 %)`,
        ]),
  ];
}

function whyNoSharpe({ result: { metrics, fills } }: FinishedRun): string {
  const { unavailable } = metrics;
  if (unavailable !== undefined) return unavailable.replace(/^n\/a: /, '');
  return fills === 0 ? 'nothing was traded' : 'its equity never changed from day to day';
}

function rankingText({ found, objective, run }: OptimizeFacts): string {
  const { quote } = run.result;
  const rows = found.ranking
    .slice(0, SHOWN)
    .map(({ number, texts, outcome, score }) => [
      String(number),
      ...(objective === 'pnl' ? [] : [scoreShown(objective, score)]),
      gainText(outcome.pnl),
      shareText(outcome.maxDrawdown),
      String(outcome.roundTrips),
      settingsText(texts),
    ]);
  const heads = [
    'trial',
    ...(objective === 'pnl' ? [] : [objective]),
    `P&L ${quote}`,
    'drawdown',
    'round trips',
    'parameters',
  ];
  return table(heads, rows, [...heads.slice(1).map(() => 'right' as const), 'left']);
}

function walkLines({ found: { folds }, objective, run }: OptimizeFacts): readonly string[] {
  if (folds.length === 0) return [];
  const { quote } = run.result;
  const ends = folds.flatMap(({ end }) =>
    'why' in end || end.outside.kind === 'failed' ? [] : [end.outside.outcome],
  );
  const total = ends.reduce((sum, { pnl }) => sum + Number(pnl), 0);
  const gains = ends.filter(({ pnl }) => Number(pnl) > 0).length;
  const without = folds.length - ends.length;
  const rows = folds.map(({ fold, end }) => [
    momentText(fold.outside.from).slice(0, 16),
    momentText(fold.outside.to).slice(0, 16),
    ...foldCells(objective, end),
  ]);
  return [
    '',
    `walk forward: chosen on all before, tried on what came then, each from a flat start: ` +
      `${gainText(decimalText(total))} ${quote} in all, ${gains} of ${ends.length} with a profit` +
      (without === 0 ? '' : `, ${without} without a result`),
    table(['from', 'to', `${objective} before`, `P&L ${quote}`, 'parameters'], rows, [
      'left',
      'left',
      'right',
      'right',
      'left',
    ]),
  ];
}

function foldCells(objective: ObjectiveName, end: FoldEnd['end']): readonly string[] {
  if ('why' in end) return ['n/a', 'n/a', `nothing to choose: ${firstLine(end.why)}`];
  const { chosen, outside } = end;
  return outside.kind === 'done'
    ? [scoreShown(objective, chosen.score), gainText(outside.outcome.pnl), settingsText(chosen.texts)]
    : [
        scoreShown(objective, chosen.score),
        'n/a',
        `${settingsText(chosen.texts)}: failed, ${firstLine(outside.reason)}`,
      ];
}

function scoreText(score: number | undefined): string | null {
  return score === undefined ? null : decimalText(score);
}

function scoreShown(objective: ObjectiveName, score: number | undefined): string {
  if (score === undefined) return 'n/a';
  const text = decimalText(score);
  return objective === 'pnl' ? gainText(text) : roundedText(text, 2);
}
