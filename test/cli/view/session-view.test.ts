import { describe, expect, it } from 'vitest';
import { LiveArea } from '../../../src/cli/view/live-area.js';
import { pnlOf, type SessionView, sessionTable } from '../../../src/cli/view/session-table.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import { FLAT, Position } from '../../../src/model/position.js';
import { BTC } from '../../support/markets.js';

const view: SessionView = {
  title: 'demo · market-maker on USD_BTC_PERP',
  market: BTC,
  elapsedMs: 65_000,
  warmingUp: false,
  lastPrice: 60_100,
  // 0.02 BTC bought at 60 000: 1 200 USD, in units of 10^-8; the mark is 100 USD higher.
  position: new Position(20 as Lots, 120_000_000_000, 0, -50_000_000, 0n),
  outBy: undefined,
  want: {
    kind: 'quote',
    bid: {
      side: 'buy',
      type: 'limit',
      ticks: 600_995 as Ticks,
      lots: 10 as Lots,
      timeInForce: 'GTC',
      postOnly: true,
      reduceOnly: false,
    },
    ask: undefined,
  },
  working: [],
  orders: 3,
  fills: 2,
  refusals: 1,
  polls: 9,
  trades: 100,
  gaps: 0,
};

describe('the table of a session', () => {
  it('shows position, wants and P&L in units of the assets', () => {
    const text = sessionTable(view, 100).join('\n');
    expect(text).toContain('1m 05s');
    expect(text).toContain('0.02 BTC @ 60000.0');
    expect(text).toContain('buy 0.01 @ 60099.5');
    // 0.02 × 100 − 0.5 of fees
    expect(text).toContain('+1.50 USD');
    expect(text).toContain('3 sent, 2 fills, 1 refused');
  });

  it('marks at a print between ticks as it is', () => {
    // 0.02 × 100.25 − 0.5 of fees
    expect(pnlOf(BTC, view.position, 60_100.25)).toBe(150_500_000n);
  });

  it('never wraps', () => {
    for (const columns of [20, 40, 80]) {
      for (const line of sessionTable(view, columns)) expect(line.length).toBeLessThanOrEqual(columns);
    }
  });

  it('says so while there is nothing yet', () => {
    const { position: _, ...rest } = view;
    const text = sessionTable(
      { ...rest, position: FLAT, lastPrice: undefined, want: { kind: 'none' } },
      80,
    ).join('\n');
    expect(text).toContain('no trade yet');
    expect(text).toContain('nothing yet');
    expect(text).toContain('flat');
    expect(text).toContain('+0.00 USD');
  });
});

const ESCAPE = '\u001B[';

/** What a terminal shows after these writes: text, line ends, cursor up and erase below. */
function screen(writes: readonly string[]): string[] {
  const lines: string[] = [];
  for (const [index, part] of writes.join('').split(ESCAPE).entries()) {
    const up = index === 0 ? null : /^(\d+)A\r/.exec(part);
    if (up !== null) lines.splice(lines.length - Number(up[1]));
    const text = index === 0 ? part : part.replace(/^(\d+A\r|0J)/, '');
    lines.push(...text.split('\n').slice(0, -1));
  }
  return lines;
}

describe('the live area', () => {
  it('replaces its lines in place and lets other output scroll above it', () => {
    const writes: string[] = [];
    const area = new LiveArea((text) => writes.push(text), 80);
    area.show(['price 1', 'position 0']);
    area.print('a warning');
    area.show(['price 2', 'position 0']);
    expect(screen(writes)).toEqual(['a warning', 'price 2', 'position 0']);
    area.show([]);
    expect(screen(writes)).toEqual(['a warning']);
  });
});
