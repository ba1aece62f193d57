import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ANNA, BERT, Desk, PAIR, sign } from './desk.js';

// biome-ignore format: a list
const PATHS = [
  '/time', '/pairs', '/assets', '/trades', '/ticker', '/depth', '/ohlcv', '/position', '/active_positions',
  '/active_orders', '/orders', '/completed_orders', '/cancelled_orders', '/filled_orders',
  '/partially_filled_orders', '/order', '/fills', '/personal', '/auth/order', '/auth/cancel',
  '/auth/cancel/bulk', '/info', '/ping', '/auth/withdraw', '/..', '//', '/%00', '/%E0%A4%A',
];
// biome-ignore format: a list
const NAMES = [
  'pair', 'qty', 'side', 'price', 'time_in_force', 'post_only', 'reduce_only', 'oco', 'timestamp',
  'recv_window', 'leverage', 'hidden', 'icebergs', 'id', 'ids', 'ids[0]', 'ids[]', 'ids[99999999]',
  'orders[0][pair]', 'start', 'end', 'limit', 'interval', '__proto__', 'constructor', '__proto__[x]', '',
  '[', 'ids[', ']',
];
// biome-ignore format: a list
const VALUES = [
  PAIR, 'USD_ETH_PERP', 'USD_OLD_PERP', 'BUY', 'SELL', 'GTC', 'IOC', 'FOK', 'true', 'false', '1', '2',
  '0.001', '60000', '60000.5', '59999.5', '1723100000000', '5m', '', '0', '-1', '1e3', '0x1', 'NaN',
  'Infinity', 'null', 'undefined', '9'.repeat(40), `0.${'3'.repeat(30)}`, '__proto__', '<script>', '%',
  '%zz', '\u0000', '😀', '\ud800', 'x'.repeat(3_000),
];

const field = fc.tuple(
  fc.oneof({ arbitrary: fc.constantFrom(...NAMES), weight: 9 }, { arbitrary: fc.string(), weight: 1 }),
  fc.oneof({ arbitrary: fc.constantFrom(...VALUES), weight: 9 }, { arbitrary: fc.string(), weight: 1 }),
  fc.boolean(),
);

const order = fc
  .record({
    side: fc.constantFrom('BUY', 'SELL'),
    price: fc.constantFrom('59999.5', '60000', '60000.5', '60001', undefined),
    qty: fc.constantFrom('0.001', '0.01', '0.5', '6'),
    time_in_force: fc.constantFrom('GTC', 'IOC', 'FOK', undefined),
    flag: fc.constantFrom('post_only=true', 'reduce_only=true', 'oco=x', 'leverage=3'),
  })
  .map(({ flag, ...terms }) => {
    const given = Object.entries(terms).filter(([, value]) => value !== undefined);
    return `pair=${PAIR}&${given.map(([name, value]) => `${name}=${String(value)}`).join('&')}&${flag}`;
  });

const parameters = fc.oneof(
  { arbitrary: order, weight: 1 },
  {
    arbitrary: fc
      .array(field, { maxLength: 8 })
      .map((fields) =>
        fields.map(([name, value, raw]) => `${encode(name, raw)}=${encode(value, raw)}`).join('&'),
      ),
    weight: 5,
  },
  { arbitrary: fc.string({ maxLength: 200 }), weight: 1 },
);

const anything = fc.record({
  method: fc.constantFrom('GET', 'GET', 'POST', 'POST', 'POST', 'PUT', 'DELETE', 'OPTIONS'),
  path: fc.constantFrom(...PATHS),
  parameters,
  who: fc.constantFrom(ANNA, BERT),
  credentials: fc.constantFrom('signed', 'signed', 'signed', 'key', 'none', 'wrong'),
  type: fc.constantFrom(
    'application/x-www-form-urlencoded',
    'application/json',
    'multipart/form-data',
    undefined,
  ),
  advance: fc.integer({ min: 0, max: 50 }),
});

/** Orders that have a chance are mixed in, so that the fuzzing reaches the core and its records. */
const request = fc.oneof(
  { arbitrary: anything, weight: 3 },
  {
    arbitrary: fc.record({
      method: fc.constant('POST'),
      path: fc.constant('/auth/order'),
      parameters: order,
      who: fc.constantFrom(ANNA, BERT),
      credentials: fc.constant('signed'),
      type: fc.constant(undefined),
      advance: fc.integer({ min: 0, max: 50 }),
    }),
    weight: 1,
  },
);

function encode(text: string, raw: boolean): string {
  return raw ? text.replaceAll(/[&=#]/g, '') : encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?'));
}

/** RFC 8259 has no NaN and no Infinity; the venue promises at most 15 significant digits besides. */
function longestNumber(json: string): number {
  const outside = json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  const digits = (outside.match(/-?\d+(\.\d+)?(e[+-]?\d+)?/gi) ?? []).map(
    (number) =>
      number.replace(/e.*$/i, '').replaceAll(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '').length,
  );
  return Math.max(0, ...digits);
}

test('2 000 requests of any kind get an envelope each, and the books stay whole', async () => {
  const desk = new Desk();
  const codes = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, parameters: text, who, credentials, type, advance }) => {
      desk.time.advance(advance);
      const hasBody = method === 'POST' || method === 'PUT';
      const headers = new Headers();
      if (credentials !== 'none') headers.set('x-api-key', who.key);
      if (credentials === 'signed') headers.set('x-signature', sign(who.secret, text));
      if (credentials === 'wrong') headers.set('x-signature', sign('wrong', text));
      if (type !== undefined) headers.set('content-type', type);
      const body = hasBody ? new TextEncoder().encode(text) : null;
      const response = await desk.venue.app.request(hasBody ? path : `${path}?${text}`, {
        method,
        headers,
        body,
      });
      const json = await response.text();
      const envelope = JSON.parse(json) as Record<string, unknown>;
      expect(Object.keys(envelope)).toEqual(['code', 'msg', 'result']);
      expect([200, 503, 414]).toContain(envelope['code']);
      expect(response.status).toBe(envelope['code'] === 414 ? 408 : envelope['code']);
      expect(envelope['msg']).not.toBe('internal error');
      expect(longestNumber(json)).toBeLessThanOrEqual(15);
      if (envelope['code'] !== 503) codes.set(response.status, (codes.get(response.status) ?? 0) + 1);
      else expect(envelope['result']).toEqual({});
      const sizes = ['anna', 'bert'].map((name) => desk.core.account(name)?.holdings.get(PAIR)?.lots ?? 0);
      expect(sizes.reduce<number>((sum, lots) => sum + lots, 0)).toBe(0);
    }),
    { numRuns: 2_000, seed: 20_240_808, endOnFailure: true },
  );
  // The fuzzing is worth something only if it gets through.
  expect(codes.get(200)).toBeGreaterThan(200);
  expect((await desk.get<unknown[]>('/trades', { pair: PAIR })).result.length).toBeGreaterThan(5);
});
