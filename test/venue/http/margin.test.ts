import { beforeEach, describe, expect, test } from 'vitest';
import { ANNA, Desk, form, PAIR, sign, type WirePosition } from './desk.js';

interface Changed {
  readonly balances: Record<string, Record<string, number>>;
  readonly positions: Record<string, WirePosition & { readonly pair: string }>;
}

let desk: Desk;
const change = (path: string, fields: Record<string, string | number>) =>
  desk.post<Changed>(path, { pair: PAIR, ...fields }, ANNA);

/** Anna is short 0.5 at 60 000: k = 30 000, fee as a maker 0.0002 × 30 000 = 6. */
beforeEach(async () => {
  desk = new Desk();
  await desk.trade(60_000, 0.5);
});

describe('leverage, fund and draw', () => {
  test('leverage isolates a position with k / L of margin, fund adds to it, draw takes some back, 0 is cross', async () => {
    const isolated = (await change('/leverage', { leverage: 10 })).result;
    expect(isolated.positions[PAIR]).toMatchObject({
      pair: PAIR,
      size: -0.5,
      free: 3_000,
      stats: { margin: 3_000 },
    });
    expect(isolated.positions[PAIR]?.stats['leverage']).toBe(10);
    // Example B: bankrupt 66 000, lp 64 632.4; on this market's tick of 0.5, toward the mark: 64 632.
    expect(isolated.positions[PAIR]?.stats).toMatchObject({ bankrupt: 66_000, lp: 64_632 });
    expect(isolated.balances['USD']).toMatchObject({ free: 96_994, margin: 3_000 });

    const funded = (await change('/fund', { qty: 500 })).result;
    expect(funded.positions[PAIR]).toMatchObject({ free: 3_500 });
    expect(funded.balances['USD']).toMatchObject({ free: 96_494, margin: 3_500 });

    const drawn = (await change('/draw', { qty: '1000.5' })).result;
    expect(drawn.positions[PAIR]).toMatchObject({ free: 2_499.5 });

    const cross = (await change('/leverage', { leverage: 0 })).result;
    // im(30 000) = 30 000 × (0.01 + 10⁻⁶ × 30 000) = 1 200.
    expect(cross.positions[PAIR]).toMatchObject({ free: 1_200 });
    expect(cross.balances['USD']).toMatchObject({ free: 98_794, margin: 1_200 });
  });

  test.each<[string, string, Record<string, string | number>, RegExp]>([
    ['fund in cross', '/fund', { qty: 1 }, /^not isolated: /],
    ['draw in cross', '/draw', { qty: 1 }, /^not isolated: /],
    // 1 / (0.01 + 10⁻⁶ × 30 000) = 25.
    [
      'a leverage above the most',
      '/leverage',
      { leverage: '25.1' },
      /^leverage above the maximum: 25\.1 is above 25/,
    ],
    ['a leverage between 0 and 1', '/leverage', { leverage: '0.5' }, /^malformed: leverage must be /],
    ['a leverage that is no number', '/leverage', { leverage: 'max' }, /^malformed: leverage must be /],
    ['no leverage', '/leverage', {}, /^malformed: leverage must be .*, received nothing$/],
    ['no amount', '/fund', {}, /^malformed: qty must be .*, received nothing$/],
    ['an unknown pair', '/fund', { pair: 'X', qty: 1 }, /^unknown pair: /],
  ])('%s is refused', async (_name, path, fields, msg) => {
    const reply = await change(path, fields);
    expect(reply).toMatchObject({ status: 503, code: 503, result: {} });
    expect(reply.msg).toMatch(msg);
  });

  test.each([
    [
      'more than is free',
      '/fund',
      '96994.01',
      /^insufficient balance: needs 96994\.01 USD, available 96994 USD$/,
    ],
    [
      'more than can be spared',
      '/draw',
      '1800.01',
      /^insufficient balance: needs 1800\.01 USD, available 1800 USD$/,
    ],
    ['nothing', '/draw', '0', /^malformed: /],
    ['less than a unit', '/fund', '0.000000001', /^malformed: /],
  ])('%s is refused in isolated margin', async (_name, path, qty, msg) => {
    await change('/leverage', { leverage: 10 });
    expect((await change(path, { qty })).msg).toMatch(msg);
  });

  test('a key is enough; a stale timestamp is refused all the same', async () => {
    const body = form({ pair: PAIR, leverage: 10 });
    const send = (text: string, headers: Record<string, string> = {}) =>
      desk.request('/leverage', {
        method: 'POST',
        body: text,
        headers: { 'x-api-key': ANNA.key, ...headers },
      });
    expect((await send(body)).status).toBe(200);
    expect((await send(body, { 'x-signature': sign(ANNA.secret, body) })).status).toBe(200);
    expect((await send(body, { 'x-signature': 'none' })).msg).toMatch(/^bad signature: /);
    expect((await send(`${body}&timestamp=${desk.now - 5_001}`)).status).toBe(408);
  });
});

test('a position that passed through 0 is in /completed_positions with what it came to and its fills', async () => {
  desk.time.advance(1_000);
  const closedAt = desk.now;
  // Anna buys back from bert's bid side: bert rests, she takes.
  await desk.trade(59_000, 0.1); // her short grows to 0.6: another maker fee of 1.18
  await desk.place({ key: 'bert-key', secret: 'bert-secret' }, { side: 'SELL', price: 59_500, qty: 0.6 });
  await desk.post('/auth/close', { pair: PAIR }, ANNA);
  const { result } = await desk.get<Record<string, WirePosition & { fills: { qty: number }[] }>[]>(
    '/completed_positions',
    { pair: PAIR },
    ANNA,
  );
  expect(result).toHaveLength(1);
  // Sold 0.5 at 60 000 and 0.1 at 59 000 = 35 900, bought 0.6 at 59 500 = 35 700: 200. Fees 6 + 1.18 + 21.42.
  expect(result[0]?.[PAIR]).toMatchObject({
    size: 0,
    realized: 200,
    funding: 0,
    fees: -28.6,
    stats: { size: 0, rpnl: 171.4, pnl: 171.4, direction: 'SELL', mark: 59_500 },
  });
  expect(result[0]?.[PAIR]?.fills.map(({ qty }) => qty)).toEqual([0.6, 0.1, 0.5]);
  const within = async (query: Record<string, number>) =>
    (await desk.get<unknown[]>('/completed_positions', query, ANNA)).result.length;
  expect([await within({ start: closedAt }), await within({ end: closedAt - 1 })]).toEqual([1, 0]);
});

test('/account and /active_positions show what is open, /balances the cash', async () => {
  type Account = { balances: Record<string, unknown>; positions: Record<string, unknown> };
  const account = (await desk.get<Account>('/account', {}, ANNA)).result;
  const balances = (await desk.get<Record<string, unknown>>('/balances', {}, ANNA)).result;
  const position = (await desk.get<WirePosition>('/position', { pair: PAIR }, ANNA)).result;
  expect(account).toEqual({ balances, positions: { [PAIR]: { pair: PAIR, ...position } } });
  const active = (await desk.get<Record<string, { fills: unknown[] }>>('/active_positions', {}, ANNA)).result;
  expect(Object.keys(active)).toEqual([PAIR]);
  expect(active[PAIR]).toMatchObject(position);
  expect(active[PAIR]?.fills).toHaveLength(1);
});
