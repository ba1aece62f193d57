import { describe, expect, it } from 'vitest';
import { SourceWatch } from '../../src/storage/import/source-watch.js';
import { T0, trade } from './support.js';

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => trade(from + index, T0 + from + index));

function watching(ids: readonly ReturnType<typeof trade>[]): SourceWatch {
  const watch = new SourceWatch();
  watch.begin('trades.csv');
  for (const each of ids) watch.next(each, true);
  return watch;
}

describe('trades that are found late to be there already, on a day that was recorded before', () => {
  it('stood in a wrong place only because the file has them twice', () => {
    const watch = watching([...range(1, 40), ...range(1, 40)]);
    for (const each of range(1, 40)) watch.repeated(each, true);
    expect([watch.sorted, watch.faults()]).toEqual([0, []]);
  });

  it('so does a page of them in a long file', () => {
    const watch = watching([...range(1, 400), ...range(101, 120), ...range(401, 500)]);
    for (const each of range(101, 120)) watch.repeated(each, true);
    expect([watch.sorted, watch.faults()]).toEqual([0, []]);
  });

  it('say nothing of trades between them that stood in their places', () => {
    const late = [trade(20, T0 + 20), trade(900, T0 + 900)];
    const others = range(1, 1_000).filter(({ id }) => id !== '20' && id !== '900');
    const watch = watching([...others, ...late]);
    for (const each of others) watch.repeated(each, true);
    expect(watch.faults()).toMatchObject([{ kind: 'reordered', firstId: '20', lastId: '900', trades: 2 }]);
  });

  it('say nothing of others that are in a wrong place', () => {
    const added = range(101, 140).toReversed();
    const watch = watching([...range(1, 100), ...added]);
    for (const each of range(1, 100)) watch.repeated(each, true);
    expect(watch.sorted).toBe(1);
    expect(watch.faults()).toMatchObject([{ kind: 'reordered', firstId: '1', lastId: '140', trades: 39 }]);
  });
});
