/** Keys, signatures and timestamps (specification: Authentication; `dialect.md` §1). */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { type Desk, PAIR, refused } from '../desk.js';
import { formText, hmac } from '../hmac.js';
import type { RawReply } from '../door.js';

const KEY_READS = [
  '/orders',
  '/active_orders',
  '/completed_orders',
  '/cancelled_orders',
  '/filled_orders',
  '/partially_filled_orders',
  '/order?id=1',
  '/triggers',
  '/fills',
  '/position?pair=USD_BTC_PERP',
  '/active_positions',
  '/completed_positions',
  '/personal',
  '/deposits',
  '/withdrawals',
];
const SIGNED = [
  '/auth/order',
  '/auth/order/bulk',
  '/auth/cancel',
  '/auth/cancel/bulk',
  '/auth/close',
  '/auth/withdraw',
];
const KEY_WRITES = ['/fund', '/draw', '/leverage'];
const BID = { pair: PAIR, side: 'BUY', qty: 0.001, price: 59_000 };

const asGet = (target: string) => `GET ${target.replace(/\?.*/, '')}`;
const asPost = (path: string) => `POST ${path}`;

async function signedPost(desk: Desk, path: string, body: string): Promise<RawReply> {
  return desk.send({ method: 'POST', target: path, headers: desk.signed('anna', body), body });
}

/** The refusal of a timestamp has an envelope of its own. */
function tooOld({ status, code, msg, result }: RawReply): void {
  assert.deepEqual(
    { status, code, msg, result },
    { status: 408, code: 414, msg: 'The timestamp is too old.', result: null },
  );
}

async function noOrders(desk: Desk): Promise<void> {
  assert.deepEqual(await desk.list('anna', '/orders'), []);
}

export const AUTHENTICATION_CARDS: readonly Card[] = [
  {
    id: 'TC-020',
    claim: 'public reads need no header',
    endpoints: [
      'GET /trades',
      'GET /pairs',
      'GET /assets',
      'GET /time',
      'GET /ticker',
      'GET /depth',
      'GET /ohlcv',
    ],
    needs: [],
    async run(desk) {
      const [pair] = await desk.someMarket();
      for (const path of ['/trades', '/depth', '/ohlcv']) await desk.get(path, { pair });
      for (const path of ['/pairs', '/assets', '/time', '/ticker']) await desk.get(path);
    },
  },
  {
    id: 'TC-021',
    claim: 'reads of an account without x-api-key are refused',
    endpoints: KEY_READS.map(asGet),
    needs: [],
    async run(desk) {
      for (const target of KEY_READS) {
        const { status, code } = await desk.send({ method: 'GET', target });
        assert.notEqual(status, 200, target);
        assert.notEqual(code, 200, target);
      }
    },
  },
  {
    id: 'TC-022',
    claim: 'a missing or empty key is refused with "missing key", one that nobody has with "unknown key"',
    endpoints: [...KEY_READS.map(asGet), ...SIGNED.map(asPost), ...KEY_WRITES.map(asPost)],
    needs: ['quiet venue'],
    async run(desk) {
      for (const target of KEY_READS) {
        refused(await desk.send({ method: 'GET', target }), 'missing key');
        refused(await desk.send({ method: 'GET', target, headers: { 'x-api-key': '' } }), 'missing key');
        refused(
          await desk.send({ method: 'GET', target, headers: { 'x-api-key': 'nobody' } }),
          'unknown key',
        );
      }
      for (const target of [...SIGNED, ...KEY_WRITES]) {
        refused(await desk.send({ method: 'POST', target }), 'missing key');
        refused(
          await desk.send({ method: 'POST', target, headers: { 'x-api-key': 'nobody' } }),
          'unknown key',
        );
      }
    },
  },
  {
    id: 'TC-023',
    claim: 'a request under /auth/ without a signature, or with a wrong one, is refused and does nothing',
    endpoints: SIGNED.map(asPost),
    needs: ['quiet venue'],
    async run(desk) {
      const body = formText(BID);
      const headers = desk.signed('anna', body);
      const { secret } = desk.door.credentials('anna');
      const wrong = [
        '',
        'nonsense',
        hmac(desk.door.credentials('bert').secret, body),
        hmac(secret, `${body}&`),
        Buffer.from(hmac(secret, body), 'base64').toString('hex'),
      ];
      for (const target of SIGNED) {
        refused(
          await desk.send({ method: 'POST', target, headers: desk.keyed('anna'), body }),
          'bad signature',
        );
        for (const signature of wrong) {
          const reply = await desk.send({
            method: 'POST',
            target,
            headers: { ...headers, 'x-signature': signature },
            body,
          });
          refused(reply, 'bad signature');
        }
      }
      await noOrders(desk);
    },
  },
  {
    id: 'TC-024',
    claim: 'the signature is base64 of the HMAC-SHA256 of the body, keyed with the secret',
    endpoints: ['POST /auth/order'],
    needs: ['quiet venue'],
    async run(desk) {
      const reply = await signedPost(desk, '/auth/order', formText(BID));
      assert.equal(reply.status, 200, String(reply.msg));
    },
  },
  {
    id: 'TC-025',
    claim: 'the signature covers the bytes as they were sent, whatever their order and encoding',
    endpoints: ['POST /auth/order'],
    fields: ['Order.oco'],
    needs: ['quiet venue'],
    async run(desk) {
      const body = 'side=BUY&pair=USD%5fBTC%5FPERP&price=59000&qty=0.001&oco=%E2%82%AC+x&ks=1';
      const reply = await signedPost(desk, '/auth/order', body);
      assert.equal(reply.status, 200, String(reply.msg));
      assert.equal((reply.result as { order: { oco: string } }).order.oco, '€ x');
    },
  },
  {
    id: 'TC-026',
    claim: '/fund, /draw and /leverage take the key alone, and a signature that is there must be right',
    endpoints: KEY_WRITES.map(asPost),
    needs: ['quiet venue'],
    async run(desk) {
      const set = formText({ pair: PAIR, leverage: 10 });
      const headers = { ...desk.keyed('anna'), 'content-type': 'application/x-www-form-urlencoded' };
      const unsigned = await desk.send({ method: 'POST', target: '/leverage', headers, body: set });
      assert.equal(unsigned.status, 200, String(unsigned.msg));
      assert.equal((await signedPost(desk, '/leverage', set)).status, 200);
      for (const target of KEY_WRITES) {
        const forged = { ...headers, 'x-signature': 'nonsense' };
        refused(await desk.send({ method: 'POST', target, headers: forged, body: set }), 'bad signature');
      }
    },
  },
  {
    id: 'TC-027',
    claim: 'a signature on a read is ignored',
    endpoints: ['GET /orders'],
    needs: ['quiet venue'],
    async run(desk) {
      const headers = { ...desk.keyed('anna'), 'x-signature': 'nonsense' };
      assert.equal((await desk.send({ method: 'GET', target: '/orders', headers })).status, 200);
    },
  },
  {
    id: 'TC-028',
    claim:
      'a timestamp older than 5 000 ms is refused with HTTP 408 and code 414, one of exactly that age is not',
    endpoints: ['POST /auth/order'],
    needs: ['quiet venue'],
    async run(desk) {
      const at = (age: number) => formText({ ...BID, timestamp: desk.now - age });
      tooOld(await signedPost(desk, '/auth/order', at(5_001)));
      await noOrders(desk);
      assert.equal((await signedPost(desk, '/auth/order', at(5_000))).status, 200);
    },
  },
  {
    id: 'TC-029',
    claim: 'recv_window says how old a request may be',
    endpoints: ['POST /auth/order'],
    needs: ['quiet venue'],
    async run(desk) {
      const at = (age: number, window: number) =>
        formText({ ...BID, timestamp: desk.now - age, recv_window: window });
      tooOld(await signedPost(desk, '/auth/order', at(101, 100)));
      assert.equal((await signedPost(desk, '/auth/order', at(100, 100))).status, 200);
      assert.equal((await signedPost(desk, '/auth/order', at(60_000, 60_000))).status, 200);
    },
  },
  {
    id: 'TC-030',
    claim: 'a timestamp more than 1 000 ms ahead of the venue is refused as a stale one is',
    endpoints: ['POST /auth/order'],
    needs: ['quiet venue'],
    async run(desk) {
      const at = (ahead: number) => formText({ ...BID, timestamp: desk.now + ahead });
      tooOld(await signedPost(desk, '/auth/order', at(1_001)));
      assert.equal((await signedPost(desk, '/auth/order', at(1_000))).status, 200);
    },
  },
  {
    id: 'TC-031',
    claim: 'a timestamp may be absent and may carry a fraction; one that is no number is malformed',
    endpoints: ['POST /auth/order'],
    needs: ['quiet venue'],
    async run(desk) {
      assert.equal((await signedPost(desk, '/auth/order', formText(BID))).status, 200);
      const fraction = formText({ ...BID, timestamp: `${desk.now}.25` });
      assert.equal((await signedPost(desk, '/auth/order', fraction)).status, 200);
      refused(
        await signedPost(desk, '/auth/order', formText({ ...BID, timestamp: 'now' })),
        'malformed: timestamp',
      );
    },
  },
  {
    id: 'TC-032',
    claim: 'a stale timestamp inside one order of a bulk refuses the whole bulk',
    endpoints: ['POST /auth/order/bulk'],
    needs: ['quiet venue'],
    async run(desk) {
      const order = (index: number, timestamp: number) =>
        Object.fromEntries(
          Object.entries({ ...BID, timestamp }).map(([name, value]) => [`orders[${index}][${name}]`, value]),
        );
      const body = formText({ ...order(0, desk.now), ...order(1, desk.now - 5_001) });
      tooOld(await signedPost(desk, '/auth/order/bulk', body));
      await noOrders(desk);
    },
  },
  {
    id: 'TC-033',
    claim: 'a body of another content type is refused as malformed',
    endpoints: ['POST /auth/order'],
    needs: ['quiet venue'],
    async run(desk) {
      const body = JSON.stringify(BID);
      const headers = { ...desk.signed('anna', body), 'content-type': 'application/json' };
      refused(
        await desk.send({ method: 'POST', target: '/auth/order', headers, body }),
        'malformed: content-type',
      );
    },
  },
  {
    id: 'TC-034',
    claim: 'a body of more than 65 536 bytes is refused as malformed',
    endpoints: ['POST /auth/order'],
    needs: ['quiet venue'],
    async run(desk) {
      const body = `oco=${'x'.repeat(65_533)}`;
      const reply = await desk.send({
        method: 'POST',
        target: '/auth/order',
        headers: desk.signed('anna', body),
        body,
      });
      refused(reply, 'malformed: body');
    },
  },
  {
    id: 'TC-035',
    claim: 'an account sees nothing of another: not its orders, fills, positions, triggers or transfers',
    endpoints: ['GET /order', 'GET /orders', 'GET /fills', 'GET /position', 'POST /auth/cancel'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      const { maker } = await desk.trade(60_000, 0.5);
      const working = await desk.place('bert', { side: 'SELL', price: 61_000, qty: 0.1 });
      refused(await desk.tryGet('/order', { id: maker.id }, 'cleo'), 'The order was not found');
      refused(await desk.tryPost('/auth/cancel', { id: working.id }, 'cleo'), 'The order was not found');
      for (const path of [
        '/orders',
        '/fills',
        '/triggers',
        '/deposits',
        '/withdrawals',
        '/completed_positions',
      ]) {
        assert.deepEqual(await desk.get(path, {}, 'cleo'), [], path);
      }
      assert.equal((await desk.position('cleo')).size, 0);
      assert.deepEqual(await desk.get('/active_positions', {}, 'cleo'), {});
    },
  },
];
