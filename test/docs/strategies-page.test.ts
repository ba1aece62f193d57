import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { Engine } from '../../src/engine/engine.js';
import * as tickwright from '../../src/index.js';
import { loadStrategy } from '../../src/loader/load-strategy.js';
import { nodeFiles } from '../../src/platform/files.js';
import type { FillView, PositionView, TimerView, WorkingOrder } from '../../src/strategy/context.js';
import { HANDLER_NAMES } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { backtestTrades, tradesAt } from '../../src/testing/index.js';
import { BTC } from '../support/markets.js';

const page = readFileSync('docs/strategies.md', 'utf8');
/** What the first column of the table below a heading names. */
const named = (heading: string) => {
  const section = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `(\w+)/gm)].map(([, name]) => name as string);
};

it('the parameters are all that can be declared', () => {
  const makers = ['barInterval', 'boolean', 'choice', 'decimal', 'integer', 'number'];
  expect(named('Parameters').sort()).toEqual(makers);
  expect(tickwright).toMatchObject(Object.fromEntries(makers.map((name) => [name, expect.any(Function)])));
});

it('the keys of an order are all that there are', () => {
  const order = { side: 'buy', quantity: 1, none: 1 } as unknown as tickwright.OrderRequest;
  const keys = named('An order').join(', ');
  expect(() => tickwright.orders([order])).toThrow(keys);
});

it('the types that it names are exported', () => {
  const names = page.split('Its type is ')[1]?.split('\n\n')[0] ?? '';
  const types = namesIn(names).filter((name) => /^[A-Z]/.test(name));
  expect(types).toContain('OrderRequest');
  const exported = readFileSync('src/index.ts', 'utf8');
  for (const type of types) expect(exported).toMatch(new RegExp(`\\b${type}\\b`));
});

it('the members of the context are all that there are', () => {
  let members: readonly string[] = [];
  const definition = tickwright.defineStrategy({
    name: 'looks',
    create(_, context) {
      members = Object.keys(context);
      return {};
    },
  });
  new Engine({ strategy: bindStrategy(definition), market: BTC, seed: '1', warmUp: false });
  expect(named('The context').sort()).toEqual([...members].sort());
});

it('the time is 0 in create, as the page says', async () => {
  const rang: number[] = [];
  const definition = tickwright.defineStrategy({
    name: 'waits',
    create(_, context) {
      context.setTimer('from create', context.now + 3_000);
      let isSet = false;
      return {
        onTrade() {
          if (!isSet) context.setTimer('from a handler', context.now + 3_000);
          isSet = true;
        },
        onTimer: ({ time }) => void rang.push(time),
      };
    },
  });
  const trades = tradesAt([100, 100, 100, 100, 100, 100]);
  await backtestTrades(definition, { trades });
  const [first] = trades as readonly [tickwright.Trade];
  expect(rang).toEqual([first.time, first.time + 3_000]);
  expect(page).toMatch(/^\| `now` \| .* 0 in `create`/m);
});

/** Each key of a type, once: the compiler wants them all. */
const keysOf = <T>(keys: Readonly<Record<keyof T, true>>): readonly string[] => Object.keys(keys);
const GIVEN = {
  onTrade: keysOf<tickwright.Trade>({
    id: true,
    time: true,
    price: true,
    quantity: true,
    isBuyerMaker: true,
  }),
  onBar: keysOf<tickwright.Bar>({
    openTime: true,
    endTime: true,
    intervalMs: true,
    open: true,
    high: true,
    low: true,
    close: true,
    volume: true,
    trades: true,
    empty: true,
    complete: true,
  }),
  onTicker: keysOf<tickwright.Ticker>({
    time: true,
    lastPrice: true,
    markPrice: true,
    indexPrice: true,
    bidPrice: true,
    bidQuantity: true,
    askPrice: true,
    askQuantity: true,
  }),
  onFill: keysOf<FillView>({
    id: true,
    intentId: true,
    time: true,
    side: true,
    price: true,
    quantity: true,
    liquidity: true,
    fee: true,
    position: true,
  }),
  onPosition: keysOf<PositionView>({
    time: true,
    quantity: true,
    averageEntry: true,
    liquidationPrice: true,
  }),
  onTimer: keysOf<TimerView>({ name: true, time: true }),
  onGap: keysOf<tickwright.TradeGap>({ from: true, to: true, missing: true }),
};
const ORDER = keysOf<WorkingOrder>({
  intentId: true,
  orderId: true,
  side: true,
  type: true,
  price: true,
  triggerPrice: true,
  quantity: true,
  leavesQuantity: true,
  timeInForce: true,
  state: true,
});
const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name as string);

it.each(HANDLER_NAMES)('what %s is given has all its keys, in their order', (handler) => {
  const [, cell = ''] = new RegExp(`^\\| \`${handler}\`, \`\\w+\\$\` \\| (.*) \\|$`, 'm').exec(page) ?? [];
  expect(namesIn(cell).filter((name) => name !== 'undefined')).toEqual(GIVEN[handler]);
});

it('a working order has all its keys', () => {
  const [, text = ''] = /`context\.workingOrders` are of (.*?)\n\n/s.exec(page) ?? [];
  expect(namesIn(text).filter((name) => name !== 'undefined')).toEqual(ORDER);
});

it('a tick and a lot are what they are said to be', () => {
  const formulas = [...page.matchAll(/`market\.filters\.(\w+)\.(\w+) \/ market\.(\w+)\.scale`/g)];
  expect(formulas.map(([, filter, step, grid]) => [filter, step, grid])).toEqual([
    ['price', 'tickSize', 'priceGrid'],
    ['quantity', 'step', 'quantityGrid'],
  ]);
  const { filters, priceGrid, quantityGrid } = BTC;
  expect(filters.price.tickSize / priceGrid.scale).toBe(0.1);
  expect(filters.quantity.step / quantityGrid.scale).toBe(0.001);
});

it('its stop gives a position up at a trade at its price, and not before', async () => {
  const [, name, code] = /<!-- strategy: (\S+) -->\n```ts\n([\s\S]+?)```/.exec(page) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-strategies-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name ?? '');
  writeFileSync(path, code ?? '');
  const loading = { files: nodeFiles, cacheDirectory: join(folder, 'cache') };
  const { definition } = await loadStrategy(path, loading);
  // The bar that closes at 101 crosses; the slow average stays below what follows.
  const prices = [100, 100, 100, 100, 99, 98, 98, 97, 101, 104, 104];
  const params = { fast: 1, slow: 8, bars: '1s', stop: 0.002 };
  const of = async (...more: readonly number[]) =>
    (await backtestTrades(definition, { trades: tradesAt([...prices, ...more]), params })).fills;
  // 0.2 % below 101 is 100.798, and rounded to the tick 100.8.
  const sidesOf = async (price: number) => (await of(price, price, price)).map(({ side }) => side);
  expect(await sidesOf(100.9)).toEqual(['buy']);
  expect(await sidesOf(100.8)).toEqual(['buy', 'sell']);
});

type PriceOf = (market: tickwright.Market, price: number) => number;

it('a price put on the grid as the page does it is taken, and one by a product of ticks is not', async () => {
  const [, formula = ''] = /const onGrid = \(price: number\) => (.+);/.exec(page) ?? [];
  const onGrid = runInNewContext(`(({ filters, priceGrid }, price) => ${formula})`) as PriceOf;
  const refused = async (priceOf: PriceOf) => {
    const definition = tickwright.defineStrategy({
      name: 'reckons',
      create: (_, context) => ({
        onTrade({ price }) {
          context.submit({ side: 'buy', quantity: '0.001', price: priceOf(context.market, price) });
        },
      }),
    });
    const trades = tradesAt(Array.from({ length: 500 }, (_, at) => 60_000 + at * 0.37));
    return (await backtestTrades(definition, { trades })).result.refusals;
  };
  expect(await refused(onGrid)).toBe(0);
  expect(await refused((_, price) => Math.round(price / 0.1) * 0.1)).toBeGreaterThan(100);
  expect(page).toContain(`is ${Math.round(60_170.1 / 0.1) * 0.1} where it is to be 60170.1`);
});
