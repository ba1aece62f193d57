import { describe, expect, it } from 'vitest';
import { Drawdown } from '../../src/backtest/drawdown.js';

describe('the maximum drawdown', () => {
  it('is from the highest equity to the lowest after it, the capital included', () => {
    const drawdown = new Drawdown(1_000);
    for (const [at, equity] of [900, 1_200, 1_000, 600, 1_500, 800, 1_400].entries()) {
      drawdown.mark(equity, at);
    }
    expect(drawdown.worst).toBe(0.5 - 1);
    expect([drawdown.peakTime, drawdown.valleyTime]).toEqual([1, 3]);
  });

  it('is told at the first of several that differ by no more than a float does', () => {
    const drawdown = new Drawdown(1_000);
    const [lower, higher] = [999.9941003499999, 1_000.0000000000001];
    drawdown.mark(1_001, 1);
    drawdown.mark(1_001.0000000000001, 2);
    drawdown.mark(999.99410035, 3);
    drawdown.mark(lower, 4);
    expect([drawdown.peakTime, drawdown.valleyTime]).toEqual([1, 3]);
    expect(drawdown.worst).toBe(lower / 1_001.0000000000001 - 1);
    // By the smallest unit of money it is another one.
    drawdown.mark(999.99410034, 5);
    expect(drawdown.valleyTime).toBe(5);
    drawdown.mark(1_001.00000001, 6);
    drawdown.mark(higher - 100, 7);
    expect([drawdown.peakTime, drawdown.valleyTime]).toEqual([6, 7]);
  });

  it('moves on where many small falls come to one that is none of rounding', () => {
    const drawdown = new Drawdown(1_000);
    for (let at = 0; at < 100; at++) drawdown.mark(990 - at * 2e-13 * 990, at);
    expect(drawdown.valleyTime).toBeGreaterThan(90);
    expect(drawdown.valleyTime).toBeLessThan(100);
  });
});
