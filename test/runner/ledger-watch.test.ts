import { expect, test } from 'vitest';
import { moneyText } from '../../src/model/money.js';
import { defineMarket } from '../../src/model/market.js';
import { ledgerDesk, ETH, ETH_SPEC } from './ledger-desk.js';

const HOUR = 3_600_000;
/** One USD; units. */
const USD = 100_000_000n;

test('fees, funding, fills of the bot, by hand and on other pairs are all explained', async () => {
  const desk = await ledgerDesk({ maxSuspense: USD });
  desk.ledger.start();
  await desk.run(2_000);
  const before = desk.total();
  for (let round = 0; round < 6; round++) {
    desk.order(round % 3 === 2 ? 'sell' : 'buy', 7);
    await desk.run(HOUR / 4);
    desk.byHand(round % 2 === 0 ? 'buy' : 'sell', round % 2 === 0 ? 40 : 20);
    await desk.run(HOUR / 4);
  }
  // Fees were paid, and funding is due every hour.
  expect(desk.total()).not.toBe(before);
  const positions = desk.client.activePositions();
  await desk.run(1_000);
  expect((await positions).every(({ funding }) => funding !== 0)).toBe(true);
  expect(desk.ledger.status).toMatchObject({ isOpen: true, suspense: [] });
  expect(desk.ledger.status.cuts).toBeGreaterThan(6 * 25);
  expect(desk.log.filter(({ message }) => message.startsWith('the ledger'))).toEqual([]);
  expect(desk.permits.at(-1)).toMatchObject({ permission: 'all' });
});

test('fills of a bot that counts in finer steps than the venue lists are explained', async () => {
  const desk = await ledgerDesk({ maxSuspense: USD, grid: { price: 2, quantity: 5 } });
  desk.ledger.start();
  await desk.run(2_000);
  for (const side of ['buy', 'buy', 'sell'] as const) {
    desk.order(side, 700);
    await desk.run(HOUR / 4);
  }
  expect(desk.gateway.execution.stats).toMatchObject({ placed: 3 });
  expect(desk.ledger.status).toMatchObject({ isOpen: true, suspense: [] });
  expect(desk.log.filter(({ message }) => message.includes('ledger'))).toEqual([]);
  expect(desk.permits.at(-1)).toMatchObject({ permission: 'all' });
});

test('fills of two markets are explained whose money has different digits', async () => {
  const desk = await ledgerDesk({ maxSuspense: USD });
  desk.also.markets.push(defineMarket({ ...ETH_SPEC, quotePrecision: 10 }));
  desk.ledger.start();
  await desk.run(2_000);
  const before = desk.total();
  for (const side of ['buy', 'sell'] as const) {
    desk.order(side, 7);
    desk.byHand(side, 100);
    await desk.run(70_000);
  }
  expect(desk.total()).not.toBe(before);
  expect(desk.gateway.execution.stats).toMatchObject({ placed: 2 });
  expect(desk.ledger.status).toMatchObject({ isOpen: true, suspense: [] });
  expect(desk.log.filter(({ message }) => message.includes('ledger'))).toEqual([]);
  expect(desk.permits.at(-1)).toMatchObject({ permission: 'all' });
});

test('a market of another pair that becomes finer goes on being explained, and so is what was in suspense before', async () => {
  const desk = await ledgerDesk({ maxSuspense: 1n });
  const step = { min: '0.1', max: '100', step: '0.1' };
  const pricing = { ...ETH_SPEC.pricing, fairQuantity: '0' };
  desk.also.markets.push(defineMarket({ ...ETH_SPEC, quantity: step, interest: step, pricing }));
  desk.ledger.start();
  await desk.run(2_000);
  desk.byHand('buy', 100);
  await desk.run(70_000);
  const before = desk.total();
  desk.byHand('buy', 200, true);
  const effect = moneyText(desk.total() - before, 8);
  await desk.run(120_000);
  expect(desk.ledger.status.suspense).toEqual([{ asset: 'USD', amount: effect }]);
  desk.also.markets.splice(0, 1, defineMarket({ ...ETH_SPEC, quotePrecision: 10 }));
  desk.byHand('sell', 5);
  await desk.run(120_000);
  expect(desk.ledger.status.suspense).toEqual([{ asset: 'USD', amount: effect }]);
  desk.show();
  await desk.run(120_000);
  expect(desk.ledger.status).toMatchObject({ isOpen: true, suspense: [], failure: undefined });
  desk.byHand('sell', 295);
  await desk.run(120_000);
  expect(desk.ledger.status.suspense).toEqual([]);
  expect(desk.log.filter(({ message }) => message.includes('cannot read a fill'))).toEqual([]);
  expect(desk.permits.at(-1)).toMatchObject({ permission: 'all' });
});

test('a deposit and a withdrawal are explained, whether they were completed before, while or after it opened', async () => {
  const desk = await ledgerDesk({ maxSuspense: 0n });
  const { core } = desk.world;
  const now = () => desk.world.venueNow();
  const seen = (amount: string) => core.wallet.detectDeposit(desk.account, 'USD', amount, {}, now());
  const asked = (amount: string) => {
    const outcome = core.wallet.requestWithdrawal(desk.account, 'USD', amount, 'home', now());
    if (outcome.kind !== 'pending') throw new Error(outcome.kind);
    return outcome.withdrawal.id;
  };
  const before = desk.total();
  const late = seen('40');
  core.wallet.confirmDeposit(seen('10'), now());
  const pending = asked('700');
  desk.ledger.start();
  await desk.run(2_000);
  expect(desk.ledger.status.isOpen).toBe(true);
  core.wallet.confirmDeposit(late, now());
  core.wallet.confirmDeposit(seen('25'), now());
  await desk.run(70_000);
  core.wallet.confirmWithdrawal(pending, now());
  core.wallet.confirmWithdrawal(asked('300'), now());
  core.wallet.dropWithdrawal(asked('500'), now());
  await desk.run(120_000);
  // 75 in, 1 000 out, whatever the fees.
  expect(desk.total() - before).toBeLessThanOrEqual(-925n * USD);
  expect(desk.ledger.status).toMatchObject({ isOpen: true, suspense: [] });
  expect(desk.ledger.status.cuts).toBeGreaterThan(3);
  expect(desk.log.filter(({ message }) => message.startsWith('the ledger'))).toEqual([]);
});

test('one hidden fill is in suspense with exactly what it cost, and no order adds risk until it shows up', async () => {
  const desk = await ledgerDesk({ maxSuspense: 1n });
  desk.ledger.start();
  desk.order('buy', 10);
  await desk.run(70_000);
  expect(desk.ledger.status).toMatchObject({ isOpen: true, suspense: [] });
  const before = desk.total();
  expect(desk.byHand('buy', 100, true).length).toBeGreaterThan(0);
  const effect = desk.total() - before;
  expect(effect).toBeLessThan(0n);
  await desk.run(120_000);
  const amount = moneyText(effect, 8);
  expect(desk.ledger.status.suspense).toEqual([{ asset: 'USD', amount }]);
  expect(desk.permits.at(-1)).toMatchObject({ permission: 'reduce-only', state: 'SYNCED' });
  expect(desk.permits.at(-1)?.reason).toContain(amount);
  const placed = desk.gateway.execution.stats.placed;
  desk.order('buy', 10);
  await desk.run(2_000);
  expect(desk.gateway.execution.stats.placed).toBe(placed);
  desk.order('sell', 5, true);
  await desk.run(2_000);
  expect(desk.gateway.execution.stats.placed).toBe(placed + 1);
  expect(desk.log.filter(({ message }) => message.includes('does not explain'))).toHaveLength(1);
  desk.show();
  await desk.run(120_000);
  expect(desk.ledger.status.suspense).toEqual([]);
  expect(desk.permits.at(-1)).toMatchObject({ permission: 'all' });
});

test('suspense below the bound, or without a bound, is shown and stops nothing', async () => {
  for (const options of [{ maxSuspense: 1_000n * USD }, {}]) {
    const desk = await ledgerDesk(options);
    desk.ledger.start();
    await desk.run(70_000);
    desk.byHand('buy', 100, true);
    await desk.run(120_000);
    expect(desk.ledger.status.suspense).toHaveLength(1);
    expect(desk.ledger.reason()).toBeUndefined();
    expect(desk.permits.at(-1)).toMatchObject({ permission: 'all' });
  }
});

test('what was settled in suspense is not read for again: the ledger has forgotten the fills of its time', async () => {
  const desk = await ledgerDesk({ limit: 1_000 });
  desk.ledger.start();
  await desk.run(70_000);
  desk.byHand('buy', 100, true);
  await desk.run(120_000);
  const { suspense } = desk.ledger.status;
  expect(suspense).toHaveLength(1);
  const fillSome = async () => {
    for (let n = 0; n < 100; n++) desk.byHand(n % 2 === 0 ? 'buy' : 'sell', 1);
    desk.fillsFrom.length = 0;
    await desk.run(61_000);
    return Math.min(...desk.fillsFrom);
  };
  const begun = await fillSome();
  expect(await fillSome()).toBe(begun);
  let since = begun;
  for (let round = 0; round < 10; round++) since = await fillSome();
  expect(since).toBeGreaterThan(begun + 8 * 60_000);
  expect(desk.ledger.status.suspense).toEqual(suspense);
});

test('a read that fails stops nothing, is said once, and the ledger goes on where it was', async () => {
  const desk = await ledgerDesk({ maxSuspense: 1n });
  desk.ledger.start();
  await desk.run(70_000);
  const { cuts } = desk.ledger.status;
  desk.stopAnswering('balances');
  desk.order('buy', 10);
  await desk.run(10 * 60_000);
  expect(desk.ledger.status.cuts).toBe(cuts);
  expect(desk.permits.at(-1)).toMatchObject({ permission: 'all' });
  const said = () => desk.log.map(({ message }) => message).filter((message) => message.includes('balances'));
  // What it is, what follows, and what to do.
  const failed = [
    'the balances cannot be compared with the ledger: trading goes on, but money that nothing explains is not noticed ' +
      'meanwhile. If this lasts, see to what the error names; where it is the request ' +
      'budget, set longer poll times',
  ];
  expect(said()).toEqual(failed);
  desk.stopAnswering(undefined);
  await desk.run(61_000);
  expect(said()).toEqual([...failed, 'the balances are compared with the ledger again']);
  expect(desk.ledger.status.cuts).toBeGreaterThan(cuts);
  expect(desk.ledger.status.suspense).toEqual([]);
});

test('a cut costs five reads when nothing happened', async () => {
  const desk = await ledgerDesk({ maxSuspense: 1n });
  desk.ledger.start();
  await desk.run(2_000);
  const { cuts } = desk.ledger.status;
  desk.calls.clear();
  // Between two cuts.
  await desk.run(10 * 60_000 - 30_000);
  const made = desk.ledger.status.cuts - cuts;
  expect(made).toBeGreaterThan(8);
  expect(desk.calls.get('activePositions')).toBe(2 * made);
  expect(desk.calls.get('balances')).toBe(2 * made);
  expect(desk.calls.get('deposits')).toBeUndefined();
});

test('the end of a session is held against the venue once more, and what is found is told', async () => {
  const desk = await ledgerDesk({ maxSuspense: 1n });
  desk.ledger.start();
  await desk.run(2_000);
  const before = desk.total();
  desk.byHand('sell', 100, true);
  const ended = desk.ledger.finish(3_000);
  await desk.run(5_000);
  const { suspense } = await ended;
  expect(suspense).toEqual([{ asset: 'USD', amount: moneyText(desk.total() - before, ETH.quotePrecision) }]);
});

test('nothing is read while the pair is not SYNCED', async () => {
  const desk = await ledgerDesk({ maxSuspense: 1n });
  desk.gateway.execution.halt('pause', 'a test', 'somebody');
  desk.calls.clear();
  desk.ledger.start();
  await desk.run(10 * 60_000);
  expect(desk.calls.get('balances')).toBeUndefined();
  expect(desk.ledger.status.isOpen).toBe(false);
});

test('a fill that comes at any moment while the ledger opens, or is cut, is in it once', async () => {
  for (let nth = 1; nth <= 12; nth++) {
    const desk = await ledgerDesk({ maxSuspense: 1n });
    let reads = 0;
    desk.onRead(async () => {
      // The opening looks at transfers, balances and positions eight times, a cut four times.
      if (++reads !== nth) return;
      desk.order('buy', 5);
      await desk.sleep(3_000);
    });
    desk.ledger.start();
    await desk.run(180_000);
    expect(desk.gateway.position(), `read ${nth}`).toBe(5);
    expect(desk.ledger.status, `read ${nth}`).toMatchObject({ isOpen: true, suspense: [] });
    expect(desk.log.filter(({ message }) => message.startsWith('the ledger'))).toEqual([]);
  }
});

test('fills are looked through to the last one, however many answers they take', async () => {
  const desk = await ledgerDesk({ maxSuspense: USD, limit: 3 });
  desk.ledger.start();
  await desk.run(2_000);
  for (let round = 0; round < 45; round++) {
    desk.byHand(round % 2 === 0 ? 'buy' : 'sell', 20);
    await desk.run(50);
  }
  await desk.run(3 * 60_000);
  expect(desk.ledger.status).toMatchObject({ isOpen: true, suspense: [] });
});

const XYZ = { asset: 'XYZ', free: 5, locked: 0, margin: 0, withdrawn: 0, pnl: 0, fees: 0, wire: {} };

test('an asset that the venue shows and does not list is left out and named, and the rest is watched all the same', async () => {
  const desk = await ledgerDesk({ maxSuspense: 1n });
  desk.ledger.start();
  await desk.run(70_000);
  const { cuts } = desk.ledger.status;
  desk.also.balances.push(XYZ);
  await desk.run(120_000);
  expect(desk.ledger.status.cuts).toBeGreaterThan(cuts);
  expect(desk.ledger.status).toMatchObject({ unlisted: ['XYZ'], suspense: [], failure: undefined });
  const told = desk.log.filter(({ message }) => message.startsWith('the ledger'));
  expect(told).toMatchObject([{ level: 'error', fields: { names: ['XYZ'] } }]);
  desk.byHand('buy', 100, true);
  await desk.run(120_000);
  expect(desk.ledger.status.suspense).toMatchObject([{ asset: 'USD' }]);
  expect(desk.permits.at(-1)).toMatchObject({ permission: 'reduce-only' });
});

test('an asset that the venue lists after the facts were read is watched like any other', async () => {
  const desk = await ledgerDesk({ maxSuspense: 1n });
  desk.ledger.start();
  await desk.run(70_000);
  const [usd] = await settled(desk.run, desk.client.assets());
  if (usd === undefined) throw new Error('the venue lists USD');
  desk.also.assets.push({ ...usd, key: 'XYZ', precision: 4 });
  desk.also.balances.push(XYZ);
  const transfer = {
    id: 'd1',
    asset: 'XYZ',
    time: desk.world.venueNow(),
    quantity: 5,
    net: 5,
    status: 'COMPLETED',
  };
  const unsaid = { address: undefined, customerId: undefined, quantityUsd: undefined, netUsd: undefined };
  desk.also.deposits.push({ ...transfer, ...unsaid, transaction: undefined, wire: {} });
  await desk.run(120_000);
  expect(desk.ledger.status).toMatchObject({ unlisted: [], suspense: [] });
  expect(desk.log.filter(({ message }) => message.startsWith('the ledger'))).toEqual([]);
  desk.also.balances[0] = { ...XYZ, free: 4.5 };
  await desk.run(120_000);
  expect(desk.ledger.status.suspense).toEqual([{ asset: 'XYZ', amount: '-0.5' }]);
});

test('looks that fail again and again are told from one that fails', async () => {
  const desk = await ledgerDesk();
  desk.ledger.start();
  await desk.run(70_000);
  desk.stopAnswering('balances');
  await desk.run(60_000);
  expect(desk.ledger.status.failure).toBeUndefined();
  await desk.run(4 * 60_000);
  expect(desk.ledger.status.failure).toContain('no balances today');
  desk.stopAnswering(undefined);
  await desk.run(61_000);
  expect(desk.ledger.status.failure).toBeUndefined();
});

async function settled<T>(run: (ms: number) => Promise<unknown>, asked: Promise<T>): Promise<T> {
  await run(1_000);
  return asked;
}
