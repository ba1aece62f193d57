import { describe, expect, it } from 'vitest';
import { figures } from '../../src/backtest/report/equity-facts.js';
import { isMissing } from '../../src/backtest/report/numbers.js';

describe('the figures of a report', () => {
  it.each([
    ['n/a', true],
    ['n/a, n/a', true],
    ['n/a USD', true],
    ['n/a <small>of 1 trial</small>', true],
    ['n/a, 1.23', false],
    ['0.00', false],
    ['none', false],
  ])('%s is none at all: %s', (text, expected) => {
    expect(isMissing(text)).toBe(expected);
  });

  it('are shown where they are, and named in one line with the reason where they are not', () => {
    const html = figures(
      [
        ['P&L', '1.00 USD'],
        ['Volatility, annual', 'n/a'],
        ['Alpha, beta', 'n/a, n/a'],
      ],
      { unavailable: 'n/a: 0 full days, 30 are needed' },
    );
    expect(html).toContain('<dt>P&amp;L</dt><dd>1.00 USD</dd>');
    expect(html).not.toContain('<dt>Volatility');
    expect(html).toContain(
      'n/a: Volatility, annual · Alpha, beta. Figures of daily returns are n/a: 0 full days, 30 are needed.',
    );
  });

  it('need no such line where all are there', () => {
    expect(figures([['Return', '1.00 %']], {})).not.toContain('n/a');
  });
});
