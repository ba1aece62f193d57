import { describe, expect, it } from 'vitest';
import { priceSection } from '../../src/backtest/report/curves.js';
import { stopPriceOf } from '../../src/backtest/stop-price.js';
import type { OrderState } from '../../src/model/order.js';
import type { WorkingOrder } from '../../src/strategy/context.js';

const T0 = Date.UTC(2024, 0, 1);
const MINUTE = 60_000;

function chartOf(stops?: readonly (number | null)[]): string {
  const prices = [100, 101, 102, 101, 100, 100];
  const times = prices.map((_, at) => T0 + at * MINUTE);
  const result = { pair: 'USD_BTC_PERP', roundTrips: 0 };
  return priceSection(result, {
    times,
    prices,
    roundTrips: [],
    ...(stops === undefined ? {} : { stops }),
  });
}

/** The points of each line of this class: coordinates of the drawing. */
function linesOf(html: string, name: string): number[][][] {
  return [...html.matchAll(new RegExp(`<path class="${name}" d="M([^"]+)"`, 'g'))].map(([, path = '']) =>
    path.split('L').map((point) => point.split(' ').map(Number)),
  );
}

describe('the stops in the chart of prices', () => {
  it('are drawn while the venue held one, as steps', () => {
    const html = chartOf([null, 95, 95, 97, null, 104]);
    const [price = []] = linesOf(html, 'price');
    const stops = linesOf(html, 'stop');
    expect(stops).toHaveLength(2);
    const x = price.map(([at]) => at);
    const [first = [], second = []] = stops;
    const [start = []] = second;
    // Each level lasts from its point of the chart to the next one.
    expect(first.map(([at]) => at)).toEqual([x[1], x[2], x[2], x[3], x[3], x[4]]);
    const [low, , , , high] = first.map(([, y]) => y as number) as [number, number, number, number, number];
    expect(first.map(([, y]) => y)).toEqual([low, low, low, low, high, high]);
    // Higher prices are further up, where y is less; the chart has room for all of them.
    const top = start[1] as number;
    const ys = price.map(([, y]) => y as number);
    expect(low).toBeGreaterThan(high);
    expect(high).toBeGreaterThan(Math.max(...ys));
    expect(top).toBeLessThan(Math.min(...ys));
    expect(top).toBeGreaterThan(0);
    expect(second.at(-1)?.[0]).toBe(x[5]);
    expect(html).toContain('stop at the venue</span>');
    expect(html).toContain('with entries and exits and the stops at the venue"');
  });

  it('leave no word where there were none', () => {
    expect(chartOf()).not.toMatch(/stop/);
  });
});

describe('the stop that the venue holds', () => {
  const order = (state: OrderState, triggerPrice?: number) => ({ state, triggerPrice }) as WorkingOrder;

  it.each<[string, readonly WorkingOrder[], number]>([
    ['is among other orders', [order('working'), order('working', 95)], 95],
    ['may be about to be canceled', [order('pending-cancel', 95)], 95],
    ['is none before the venue has it', [order('pending-new', 95)], Number.NaN],
    ['is none without orders', [], Number.NaN],
  ])('%s', (_, orders, price) => {
    expect(stopPriceOf(orders)).toBe(price);
  });
});
