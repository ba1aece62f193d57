import { expect, test } from 'vitest';
import { TornOrders } from '../../src/simulation/torn-orders.js';

const NOW = 1_700_000_100_000;
const plan = { seed: 1, bounds: { lateMs: 10_000, visibilityMs: 5_000, postMs: 10_000 } };

function answer(...ages: readonly number[]): string {
  const fills = ages.map((age, index) => ({ id: String(index), time: NOW - age, qty: 0.002 }));
  const row = { id: '7', status: 'CANCELLED', qty_filled: 0.002 * ages.length, qty_remaining: 0.001, fills };
  return JSON.stringify({ code: 200, result: [row] });
}

interface Seen {
  readonly result: readonly {
    readonly status: string;
    readonly qty_filled: number;
    readonly qty_remaining: number;
    readonly fills: readonly { readonly id: string }[];
  }[];
}

test('an order ends before its newest fill shows, and its quantities are those of the fills that do', () => {
  const torn = new TornOrders(plan);
  const seen = Array.from({ length: 50 }, () => JSON.parse(torn.seen(answer(9_000, 1), NOW)) as Seen);
  const filled = seen.map(({ result: [row] }) => [
    row?.status,
    row?.qty_filled,
    row?.qty_remaining,
    row?.fills.length,
  ]);
  expect(filled).toContainEqual(['CANCELLED', 0.002, 0.003, 1]);
});

test('what is older than the bound on visibility always shows', () => {
  const torn = new TornOrders(plan);
  const body = answer(60_000, 5_000);
  for (let i = 0; i < 50; i++) expect(JSON.parse(torn.seen(body, NOW))).toEqual(JSON.parse(body));
});

test('what is no answer with fills is left as it is', () => {
  const torn = new TornOrders(plan);
  for (const body of [
    '',
    '<html>',
    '{"code":503,"msg":"no"}',
    answer(1).slice(0, 60),
    `${answer(1).slice(0, -9)}`,
  ]) {
    expect(torn.seen(body, NOW)).toBe(body);
  }
});
