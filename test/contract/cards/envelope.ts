/** The envelope, paths and methods (specification: Response envelope, Errors; `dialect.md` §2, §7). */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { refused } from '../desk.js';

export const ENVELOPE_CARDS: readonly Card[] = [
  {
    id: 'TC-001',
    claim: 'a success is HTTP 200 with an envelope of code 200, msg and result, and nothing else in it',
    endpoints: ['GET /time'],
    needs: [],
    async run(desk) {
      const { status, envelope } = await desk.send({ method: 'GET', target: '/time' });
      assert.equal(status, 200);
      const { code, msg, result, ...more } = envelope as Record<string, unknown>;
      assert.equal(code, 200);
      assert.equal(typeof msg, 'string');
      assert.equal(typeof result, 'number');
      assert.deepEqual(more, {});
    },
  },
  {
    id: 'TC-002',
    claim: 'a refusal is HTTP 503 with an envelope of code 503, a msg and an empty object',
    endpoints: ['GET /trades'],
    needs: [],
    async run(desk) {
      const { status, envelope } = await desk.send({ method: 'GET', target: '/trades?pair=NO_SUCH_PAIR' });
      assert.equal(status, 503);
      const { code, msg, result, ...more } = envelope as Record<string, unknown>;
      assert.equal(code, 503);
      assert(typeof msg === 'string' && msg !== '');
      assert.deepEqual(result, {});
      assert.deepEqual(more, {});
    },
  },
  {
    id: 'TC-003',
    claim: 'an answer is JSON in UTF-8 and says so',
    endpoints: ['GET /pairs'],
    needs: [],
    async run(desk) {
      const { headers } = await desk.send({ method: 'GET', target: '/pairs' });
      assert.match(headers['content-type'] ?? '', /^application\/json(; ?charset=utf-8)?$/i);
    },
  },
  {
    id: 'TC-004',
    claim: 'a path that is not in the specification is refused in the envelope',
    endpoints: ['GET /time'],
    needs: ['quiet venue'],
    async run(desk) {
      for (const target of ['/', '/nothing', '/time/', '/auth', '/v1/time']) {
        refused(await desk.send({ method: 'GET', target }), 'unknown path');
      }
    },
  },
  {
    id: 'TC-005',
    claim: 'the removed paths /info and /ping are refused in the envelope',
    endpoints: ['GET /time'],
    needs: ['quiet venue'],
    async run(desk) {
      refused(await desk.send({ method: 'GET', target: '/info' }), 'unknown path');
      refused(await desk.send({ method: 'GET', target: '/ping' }), 'unknown path');
    },
  },
  {
    id: 'TC-006',
    claim: 'a known path with another method is refused in the envelope',
    endpoints: ['GET /trades', 'POST /auth/order', 'POST /draw'],
    needs: ['quiet venue'],
    async run(desk) {
      refused(await desk.send({ method: 'POST', target: '/trades?pair=USD_BTC_PERP' }), 'unknown path');
      refused(await desk.send({ method: 'GET', target: '/auth/order' }), 'unknown path');
      refused(await desk.send({ method: 'GET', target: '/draw' }), 'unknown path');
      refused(await desk.send({ method: 'DELETE', target: '/orders' }), 'unknown path');
    },
  },
  {
    id: 'TC-007',
    claim: 'a query whose percent escapes are broken is refused as malformed',
    endpoints: ['GET /trades'],
    needs: ['quiet venue'],
    async run(desk) {
      refused(await desk.send({ method: 'GET', target: '/trades?pair=%E0%A4%A' }), 'malformed');
    },
  },
  {
    id: 'TC-008',
    claim: 'parameters that nobody knows, __proto__ among them, change nothing',
    endpoints: ['GET /time'],
    needs: [],
    async run(desk) {
      const { status, result } = await desk.send({
        method: 'GET',
        target: '/time?ks=1&__proto__=2&constructor[x]=3',
      });
      assert.equal(status, 200);
      assert.equal(typeof result, 'number');
    },
  },
  {
    id: 'TC-009',
    claim: 'a parameter given twice is refused, because it is not clear which one is meant',
    endpoints: ['GET /trades'],
    needs: ['quiet venue'],
    async run(desk) {
      const target = '/trades?pair=USD_BTC_PERP&limit=1&limit=2';
      refused(await desk.send({ method: 'GET', target }), 'malformed: limit');
    },
  },
];
