import { expect, it } from 'vitest';
import { compareText } from '../../../src/cli/view/compare-view.js';

/** Cells of the line of a key, which has no blanks in them. */
function cells(key: string, left: unknown, right: unknown): readonly string[] {
  const [, line = ''] = compareText('a', 'b', [{ key, left, right }]).split('\n');
  return line.trim().split(/\s+/);
}

it.each([
  ['fees', '0.0000185104', '0.00001851', '-0.0000000004'],
  ['pnl.queue', '-0.0000000001', '0', '+0.0000000001'],
  ['fees', '0.1', '0.3', '+0.2'],
  ['maxDrawdown', '-0.00093740', '-0.001', '-0.0000626'],
  ['fills', 24, 20, '-4'],
  ['metrics.drawdownTo', 1_723_161_562_078, 1_723_161_562_952, '+874'],
])('the change of %s from %s to %s is %s', (key, left, right, change) => {
  expect(cells(key, left, right)).toEqual([key, String(left), String(right), change]);
});

it.each([
  ['runId', '52', '4'],
  ['data.gapsHash', '1', '2'],
  ['verdict', 'loss', 'profit'],
  ['sharpe', null, '1'],
  ['ruinedAt', undefined, 5],
])('%s from %s to %s has no change', (key, left, right) => {
  const shown = { null: ['n/a'], undefined: [] }[String(left)] ?? [left];
  expect(cells(key, left, right)).toEqual([key, ...shown, String(right)]);
});

it('limits are shown one by one, those that differ alone', () => {
  const limits = { maxPosition: '0.05', maxOrderQuantity: '0.02', maxOpenOrders: 5 };
  const text = compareText('a', 'b', [
    {
      key: 'options.limits',
      left: JSON.stringify(limits),
      right: JSON.stringify({ ...limits, maxPosition: '0.1', priceCollar: 0.02 }),
    },
    { key: 'strategies.X.options.limits', left: 'no limits', right: '{}' },
  ]);
  const rows = text.split('\n').map((line) => line.trim().split(/ +/));
  expect(rows.slice(1)).toEqual([
    ['options.limits.maxPosition', '0.05', '0.1', '+0.05'],
    ['options.limits.priceCollar', '0.02'],
    ['strategies.X.options.limits', 'no', 'limits', '{}'],
  ]);
});

it('amounts of different assets have no change: a sum of dollars less a sum of euros is no money', () => {
  const text = compareText('a', 'b', [
    { key: 'pnl.queue', left: '5', right: '7' },
    { key: 'fees', left: '1', right: '2' },
    { key: 'fills', left: 24, right: 20 },
    { key: 'maxDrawdown', left: '-0.1', right: '-0.2' },
    { key: 'finalPosition', left: '1', right: '3' },
    { key: 'metrics.largestWin', left: '1', right: '4' },
    { key: 'options.capital', left: '100', right: '200' },
    { key: 'quote', left: 'USD', right: 'EUR' },
    { key: 'base', left: 'BTC', right: 'ETH' },
  ]);
  expect(text.split('\n').flatMap((line) => line.match(/[+-]\S+$/)?.[0] ?? [])).toEqual(['-4', '-0.1']);
});

it('quantities of one asset have a change, whatever money is counted in', () => {
  const text = compareText('a', 'b', [
    { key: 'finalPosition', left: '1', right: '3' },
    { key: 'quote', left: 'USD', right: 'EUR' },
  ]);
  expect(text).toContain('+2');
});

it('obeys nothing in a result that somebody changed', () => {
  const text = compareText('a', 'b', [
    { key: 'quote\u001b[2J', left: 'USD\u001b[2J', right: '\u009b2J\nUSD' },
  ]);
  expect(/[^\P{Cc}\n]/u.exec(text)?.[0]).toBeUndefined();
  expect(text.split('\n')).toHaveLength(2);
});
