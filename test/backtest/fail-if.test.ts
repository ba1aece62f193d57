import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFailIf, resultLookup } from '../../src/backtest/fail-if.js';

const result = {
  maxDrawdown: '-0.25',
  sharpe: null,
  roundTrips: 12,
  verdict: 'undecided',
  pnl: { through: '-3', queue: '1.5', touch: '4' },
  data: { gaps: 2, factsHash: 'c'.repeat(64) },
  metrics: { winRate: '0.4', sharpe: null },
};
const lookup = resultLookup(result, { trials: 7, deflatedSharpe: null });
const check = (text: string) => parseFailIf(text).check(lookup);

describe('a condition over a result', () => {
  it.each([
    ['maxDrawdown < -0.2', ['maxDrawdown < -0.2: -0.25 < -0.2']],
    ['maxDrawdown<-20%', ['maxDrawdown < -0.2: -0.25 < -0.2']],
    ['maxDrawdown < -0.3', []],
    ['pnl < 0', ['pnl < 0: -3 < 0']],
    ['pnl.queue < 0', []],
    ['data.gaps >= 2 && roundTrips != 12', []],
    ['data.gaps >= 2 && roundTrips == 12', ['data.gaps >= 2: 2 >= 2', 'roundTrips == 12: 12 == 12']],
    ['winRate > .5 || trials > 5', ['trials > 5: 7 > 5']],
    ['!(winRate > 0.5)', ['not (winRate > 0.5)']],
    ["verdict == 'undecided'", ['verdict == undecided: undecided == undecided']],
    ['verdict != "loss"', ['verdict != loss: undecided != loss']],
    // Without parentheses && binds more tightly.
    ['roundTrips > 100 && trials > 0 || data.gaps > 1', ['data.gaps > 1: 2 > 1']],
    ['roundTrips > 100 && (trials > 0 || data.gaps > 1)', []],
    ['0 < roundTrips', ['0 < roundTrips: 0 < 12']],
    // Absent from a result where it did not happen.
    ['ruinedAt > 0', []],
    ['data.unfundedUntil > 0', []],
    ['data.missingRates > 0', []],
    ['data.marginChangedAt > 0', []],
  ])('%s', (text, reasons) => {
    expect(check(text)).toEqual(reasons);
  });

  it('holds for a figure that there is too little data for: a gate is not passed by knowing nothing', () => {
    expect(check('sharpe < 1')).toEqual(['sharpe < 1: there is no such figure (n/a)']);
    expect(check('sharpe > 1')).toEqual(['sharpe > 1: there is no such figure (n/a)']);
    expect(check('deflatedSharpe < 0.95')).toHaveLength(1);
  });

  it('holds for such a figure however the gate is spelt', () => {
    expect(check('!(sharpe >= 1)')).toEqual([
      'not (sharpe >= 1)',
      'sharpe >= 1: there is no such figure (n/a)',
    ]);
    expect(check('!(sharpe >= 1 && roundTrips >= 10)')).toHaveLength(2);
    expect(check('!(sharpe >= 1 || deflatedSharpe >= 0.95)')).toHaveLength(3);
    expect(check('!!(sharpe < 1)')).toHaveLength(1);
    // What is known still decides where it does.
    expect(check('!(sharpe >= 1 || roundTrips >= 10)')).toEqual([]);
    expect(check('sharpe < 1 && roundTrips < 10')).toEqual([]);
  });

  it.each([
    ['sharpe <', 'a key, a number or a text at column 9, received the end'],
    ['sharpe < 1 &', 'at column 12, received &'],
    ['sharpe', 'one of < <= > >= == != at column 7'],
    ['(sharpe < 1', ') at column 12, received the end'],
    ['sharpe < 1 2', 'the end, && or || at column 12, received 2'],
    ['', 'received the end'],
    ['sharpe = 1', 'at column 8, received ='],
    ['sharpe- < 1', 'at column 7, received -'],
    ['sharpe -1 < 1', 'one of < <= > >= == != at column 8, received -1'],
    ['process.exit(1)', 'one of < <= > >= == != at column 13, received ('],
  ])('%s is refused with its column', (text, message) => {
    expect(() => parseFailIf(text)).toThrow(message);
  });

  it('refuses keys that no result has, and texts where a number is compared', () => {
    expect(() => check('sharp < 1')).toThrow('received sharp');
    expect(() => check('data < 1')).toThrow('received data');
    expect(() => check('__proto__ == 1')).toThrow('received __proto__');
    expect(() => check('verdict < 1')).toThrow('must compare numbers with numbers');
    expect(() => check('verdict == 1')).toThrow('must compare numbers with numbers and texts with texts');
    expect(() => check("1 != 'a'")).toThrow("received 1 != 'a'");
  });

  it('knows a ruin of an account and of its models, and of nothing that cannot have one', () => {
    const models = { queue: { orders: 1 }, touch: { orders: 2, ruinedAt: 1_700_000_000_000 } };
    const part = { orders: 1 };
    const known = { ...result, models };
    const account = resultLookup({ ...known, strategies: { A: part } } as typeof result);
    const of = (text: string) => parseFailIf(text).check(account);
    expect(of('models.touch.ruinedAt > 0')).toHaveLength(1);
    expect(of('models.queue.ruinedAt > 0 || ruinedAt > 0')).toEqual([]);
    const single = resultLookup(known);
    for (const key of ['strategies.A.ruinedAt', 'strategies.B.ruinedAt', 'models.through.ruinedAt']) {
      expect(() => of(`${key} > 0`)).toThrow(`received ${key}`);
      expect(() => parseFailIf(`${key} > 0`).check(single)).toThrow(`received ${key}`);
    }
    expect(() => parseFailIf('models.queue.ruinedAt > 0').check(single)).toThrow('received models.queue');
  });

  it('knows a liquidation of a run and of each pair of an account', () => {
    const single = resultLookup({ ...result, openOrders: 0 } as typeof result);
    expect(parseFailIf('liquidatedAt > 0').check(single)).toEqual([]);
    const strategies = { A: { openOrders: 0 }, B: { openOrders: 1, liquidatedAt: 1_700_000_000_000 } };
    const account = resultLookup({ ...result, strategies } as typeof result);
    const of = (text: string) => parseFailIf(text).check(account);
    expect(of('strategies.A.liquidatedAt > 0')).toEqual([]);
    expect(of('strategies.B.liquidatedAt > 0')).toHaveLength(1);
    for (const key of ['liquidatedAt', 'strategies.C.liquidatedAt', 'models.queue.liquidatedAt'])
      expect(() => of(`${key} > 0`)).toThrow(`received ${key}`);
  });

  it.each([
    'BTC-USDT',
    'BTC.USDT',
    'A.B-C_1',
    '1-INCH',
    '-X--Y.',
    'BTC',
  ])('knows the figures of the pair %s of an account', (pair) => {
    const part = { maxDrawdown: '-0.25', openOrders: 0, pnl: { queue: '7' } };
    const strategies = { BTC: { ...part, maxDrawdown: '-0.5' }, [pair]: part };
    const account = resultLookup({ ...result, strategies } as typeof result);
    const of = (text: string) => parseFailIf(text).check(account);
    for (const operator of ['<', ' < ', '< ', ' <']) {
      expect(of(`strategies.${pair}.maxDrawdown${operator}-20%`)).toEqual([
        `strategies.${pair}.maxDrawdown < -0.2: -0.25 < -0.2`,
      ]);
      expect(of(`-20%${operator}strategies.${pair}.maxDrawdown`)).toEqual([]);
    }
    expect(of(`(strategies.${pair}.pnl.queue==7)&&maxDrawdown>-1`)).toHaveLength(2);
    expect(of(`strategies.${pair}.liquidatedAt > 0`)).toEqual([]);
    expect(() => of(`strategies.${pair}.nothing > 0`)).toThrow(`received strategies.${pair}.nothing`);
  });

  it('takes the longest name that is there, and a shorter one where what follows is only in that', () => {
    const strategies = { A: { pnl: { queue: '1' }, fees: '3' }, 'A.pnl': { queue: '2', trades: 5 } };
    const account = resultLookup({ ...result, strategies } as unknown as typeof result);
    const of = (text: string) => parseFailIf(text).check(account);
    expect(of('strategies.A.pnl.queue == 2')).toHaveLength(1);
    expect(of('strategies.A.pnl.trades == 5 && strategies.A.fees == 3')).toHaveLength(2);
    expect(() => of('strategies..A.fees == 3')).toThrow('received strategies..A.fees');
  });

  it('holds for a time without a stop where no stop was wanted: all of it was without one', () => {
    const single = resultLookup({ ...result, openOrders: 0 } as typeof result);
    const na = 'there is no such figure (n/a)';
    expect(parseFailIf('protection.longestBareMs > 1000').check(single)).toEqual([
      `protection.longestBareMs > 1000: ${na}`,
    ]);
    expect(parseFailIf('!(protection.bareNotionalSeconds < 5)').check(single)).toHaveLength(2);
    expect(() => parseFailIf('protection.longest > 1').check(single)).toThrow('received protection.longest');
    const protection = { heldMs: 9_000, bareMs: 80, longestBareMs: 50, bareNotionalSeconds: '3.10' };
    const strategies = { A: { openOrders: 0 }, B: { openOrders: 1, protection } };
    const account = resultLookup({ ...result, strategies } as typeof result);
    const of = (text: string) => parseFailIf(text).check(account);
    expect(of('strategies.A.protection.longestBareMs > 1000')).toHaveLength(1);
    expect(of('strategies.B.protection.longestBareMs > 1000')).toEqual([]);
    expect(of('strategies.B.protection.bareNotionalSeconds > 3')).toHaveLength(1);
    for (const part of ['', 'strategies.C.', 'models.queue.'])
      expect(() => of(`${part}protection.bareMs > 0`)).toThrow(`received ${part}protection.bareMs`);
  });

  it('agrees with arithmetic on every pair of numbers', () => {
    const number = fc.integer({ min: -1_000, max: 1_000 }).map((each) => each / 8);
    fc.assert(
      fc.property(number, number, (left, right) => {
        const values = { left, right };
        const holds = (operator: string) =>
          parseFailIf(`left ${operator} right`).check((key) => values[key as 'left']).length > 0;
        expect(['<', '<=', '>', '>=', '==', '!='].map(holds)).toEqual([
          left < right,
          left <= right,
          left > right,
          left >= right,
          left === right,
          left !== right,
        ]);
      }),
    );
  });
});
