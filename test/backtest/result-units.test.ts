import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { unitOf } from '../../src/backtest/result-units.js';

/** Each key of docs/result.md with its unit, as it stands for a run of one model. */
function documented(): readonly (readonly [key: string, unit: string])[] {
  const rows = readFileSync('docs/result.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => {
    const [, names = '', unit = ''] = row.split('|');
    const keys = names.match(/[\w.<>]+/g) ?? [];
    // One row names two keys with two units.
    const units = unit.trim().split(', ');
    return keys.map((key, at) => [key.replace('<model>', 'queue'), units[at] ?? units[0] ?? ''] as const);
  });
}

it('is what docs/result.md says of every key with a number', () => {
  const rows = documented().filter(([, unit]) => unit !== 'text' && unit !== 'list');
  expect(rows.length).toBeGreaterThan(90);
  expect(rows.map(([key]) => [key, unitOf(key)])).toEqual(rows);
});

it('is the same by the last name of a metric, and in the account that strategies share', () => {
  expect(unitOf('winRate')).toBe('fraction');
  expect(unitOf('pnl')).toBe('quote');
  expect(unitOf('strategies.USD_BTC_PERP.maxDrawdown')).toBe('fraction');
  expect(unitOf('strategies.USD_BTC_PERP.metrics.sharpe')).toBe('number');
});

it('is not known of parameters, which are what the strategy takes them for', () => {
  expect(unitOf('params.threshold')).toBeUndefined();
  expect(unitOf('strategies.USD_BTC_PERP.params.threshold')).toBeUndefined();
});
