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
