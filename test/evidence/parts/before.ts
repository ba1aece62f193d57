/** Days that the page already has: a new clone goes on behind them, as long as its code does the same. */
import { addedMatrices, addedTallies } from '../../../src/simulation/tally.js';
import type { SimulationEvidence, SimulationFigures } from '../evidence.js';

/**
 * What is published of the normal mode and counts beside the results at hand: unbroken rows of seeds from 1 on, of code
 * with these sample traces, that broke nothing. Not what is of seeds at hand. `lowest`: the first seed at hand.
 */
export function countedBefore(
  published: SimulationEvidence | undefined,
  sample: string | undefined,
  lowest = Number.POSITIVE_INFINITY,
): readonly SimulationFigures[] {
  const counted: SimulationFigures[] = [];
  for (const figures of rowsOf(published)) {
    const [range, gap] = figures.seeds;
    if (range === undefined || gap !== undefined) break;
    const [first, last] = range;
    if (first !== nextSeed(counted) || last >= lowest) break;
    if (sample === undefined || figures.sample !== sample || !brokeNothingIn(figures)) break;
    counted.push(figures);
  }
  return counted;
}

/** The first seed that is not in these rows. */
export function nextSeed(rows: readonly SimulationFigures[]): number {
  return 1 + (rows.at(-1)?.seeds.at(-1)?.[1] ?? 0);
}

/** Of the normal mode, in the order of their seeds. */
export function rowsOf(published: SimulationEvidence | undefined): readonly SimulationFigures[] {
  const { before = [], runs } = published ?? { runs: {} };
  return runs.normal === undefined ? [] : [...before, runs.normal];
}

/**
 * What was measured, with the published rows of the normal mode in the place of its own where those have more days by
 * code with the same sample traces, and neither broke anything: the results of such days may be in another clone.
 */
export function withMostDays(
  measured: SimulationEvidence | undefined,
  published: SimulationEvidence | undefined,
): SimulationEvidence | undefined {
  const sample = measured?.runs.normal?.sample;
  const [own, theirs] = [rowsOf(measured), rowsOf(published)];
  const days = (rows: readonly SimulationFigures[]) => rows.reduce((sum, row) => sum + row.days, 0);
  const isKept =
    measured !== undefined &&
    days(theirs) > days(own) &&
    own.every(brokeNothingIn) &&
    countedBefore(published, sample).length === theirs.length;
  if (!isKept) return measured;
  return {
    before: theirs.slice(0, -1),
    runs: { ...measured.runs, normal: theirs.at(-1) as SimulationFigures },
  };
}

function brokeNothingIn(figures: SimulationFigures): boolean {
  const { violations, failed, duplicates, orphans, unexplainedSynced, secrets, beyondLimit } = figures;
  const counts = [violations.length, failed.length, duplicates, orphans, unexplainedSynced];
  return [...counts, secrets, beyondLimit].every((count) => count === 0);
}

export type Together = Pick<
  SimulationFigures,
  | 'runs'
  | 'days'
  | 'faults'
  | 'crashes'
  | 'doubts'
  | 'duplicates'
  | 'orphans'
  | 'unexplainedSynced'
  | 'beyondLimit'
  | 'secrets'
  | 'violations'
  | 'worst'
  | 'synced'
  | 'judged'
  | 'endStates'
  | 'met'
  | 'crashPoints'
>;

/** All rows as one; `undefined` without any. Places where the process died are those of the row with the most. */
export function together(rows: readonly SimulationFigures[]): Together | undefined {
  if (rows.length === 0) return undefined;
  const sum = (of: (row: SimulationFigures) => number) => rows.reduce((total, row) => total + of(row), 0);
  const most = (of: (row: SimulationFigures) => number) => Math.max(...rows.map(of));
  return {
    runs: sum(({ runs }) => runs),
    days: sum(({ days }) => days),
    faults: sum(({ faults }) => faults),
    crashes: sum(({ crashes }) => crashes),
    doubts: sum(({ doubts }) => doubts),
    duplicates: sum(({ duplicates }) => duplicates),
    orphans: sum(({ orphans }) => orphans),
    unexplainedSynced: sum(({ unexplainedSynced }) => unexplainedSynced),
    beyondLimit: sum(({ beyondLimit }) => beyondLimit),
    secrets: sum(({ secrets }) => secrets),
    violations: rows.flatMap(({ violations }) => violations),
    worst: most(({ worst }) => worst),
    synced:
      sum(({ synced, days }) => synced * days) /
      Math.max(
        Number.MIN_VALUE,
        sum(({ days }) => days),
      ),
    judged: addedTallies(rows.map(({ judged }) => judged)),
    endStates: addedTallies(rows.map(({ endStates }) => endStates)),
    met: addedMatrices(rows.map(({ met }) => met)),
    crashPoints: most(({ crashPoints }) => crashPoints),
  };
}
