import { expect, it } from 'vitest';
import { Drawdown } from '../../src/backtest/drawdown.js';
import { EquityCloses } from '../../src/backtest/equity-closes.js';
import { equityFigures, figure } from '../../src/backtest/metrics.js';

it('a figure is plain decimal text, or null where there can be none', () => {
  expect([0.1, -0, 1_200, 100, -1e-9, 12.345678949, 1e20].map(figure)).toEqual([
    '0.1',
    '0',
    '1200',
    '100',
    '0',
    '12.34567895',
    '100000000000000000000',
  ]);
  expect([Number.NaN, Number.POSITIVE_INFINITY, 1e21, -1e30].map(figure)).toEqual([null, null, null, null]);
});

it('a return is never nothing because its text would be long', () => {
  const totalReturn = (capital: number, equity: number) => {
    const watch = {
      equity,
      closes: new EquityCloses(1),
      drawdown: new Drawdown(capital),
      ruinedAt: undefined,
    };
    return equityFigures({ watch, capital, from: 0, to: 1 }).metrics.totalReturn;
  };
  expect(totalReturn(1, 3)).toBe('2');
  expect(totalReturn(1, 2 ** 80)).toBe('1208925819614629174706176');
  expect(totalReturn(1, -(2 ** 80))).toBe('-1208925819614629174706176');
});
