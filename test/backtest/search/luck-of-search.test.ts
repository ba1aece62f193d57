import { expect, it } from 'vitest';
import { meanCorrelation, searchLuck } from '../../../src/backtest/search/luck-of-search.js';
import { effectiveTrials } from '../../../src/backtest/statistics/luck.js';
import { overfittingProbability } from '../../../src/backtest/statistics/overfitting.js';
import { seededRandom } from '../../../src/model/random.js';

const random = seededRandom('returns');
const series = (count: number) => Array.from({ length: count }, () => random.normal());

/** Pair by pair, by its definition. */
function byPairs(trials: readonly (readonly number[])[]): number {
  let sum = 0;
  let pairs = 0;
  for (const [at, one] of trials.entries()) {
    for (const other of trials.slice(at + 1)) {
      sum += correlation(one, other);
      pairs++;
    }
  }
  return sum / pairs;
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  for (const [at, each] of a.entries()) {
    const [x, y] = [each - meanA, (b[at] as number) - meanB];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa === 0 || bb === 0 ? 0 : ab / Math.sqrt(aa * bb);
}

it('the mean correlation of all pairs is that of each pair', () => {
  const base = series(40);
  const trials = Array.from({ length: 12 }, (_, at) => base.map((each) => each + at * 0.2 * random.normal()));
  expect(meanCorrelation(trials)).toBeCloseTo(byPairs(trials), 12);
  expect(meanCorrelation(trials)).toBeGreaterThan(0.3);
  const withIdle = [...trials, base.map(() => 0)];
  expect(meanCorrelation(withIdle)).toBeCloseTo(byPairs(withIdle), 12);
  const same = [base, base.map((each) => 2 * each + 1), base.map((each) => each / 3)];
  expect(meanCorrelation(same)).toBeCloseTo(1, 12);
});

const lived = (returns: readonly number[]) => ({ returns, isRuined: false });
const ruined = (returns: readonly number[]) => ({ returns, isRuined: true });

it('the luck of a search is what its trials did day after day', () => {
  const trials = Array.from({ length: 10 }, () => series(60));
  expect(searchLuck(trials.map(lived))).toEqual({
    effectiveTrials: effectiveTrials(10, Math.max(0, meanCorrelation(trials))),
    overfitting: overfittingProbability(trials),
  });
});

it('a trial that was ruined is one of them: it has nothing to win or lose any more', () => {
  const trials = Array.from({ length: 10 }, () => series(60));
  const short = [0.1, -0.2, -1];
  const whole = [short.concat(Array.from({ length: 57 }, () => 0)), ...trials];
  expect(searchLuck([ruined(short), ...trials.map(lived)])).toEqual(searchLuck(whole.map(lived)));
  // In the hours behind the last whole day, which has no return of any trial.
  const late = [...series(60), -1];
  expect(searchLuck([...trials.map(lived), ruined(late)])).toEqual(
    searchLuck([...trials, late.slice(0, 60)].map(lived)),
  );
});

it('a trial that never moved is none of them: it could not be the best', () => {
  // All lose, so that a Sharpe ratio of 0 would be the best of each half.
  const trials = Array.from({ length: 5 }, () => series(60).map((each) => each - 3));
  const idle = trials[0]?.map(() => 0) ?? [];
  expect(searchLuck([idle, ...trials].map(lived))).toEqual(searchLuck(trials.map(lived)));
  expect(searchLuck([idle, idle, trials[0] ?? []].map(lived))).toBeUndefined();
});

it('there is none without two trials, one of which has returns of enough days', () => {
  expect(searchLuck([])).toBeUndefined();
  expect(searchLuck([lived(series(60))])).toBeUndefined();
  expect(searchLuck([lived([]), lived([])])).toBeUndefined();
  expect(searchLuck([lived([]), ruined([-1])])).toBeUndefined();
  expect(searchLuck([ruined([-1]), ruined([0.5, -1])])).toBeUndefined();
});
