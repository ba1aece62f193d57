/** Deposits and withdrawals (specification: Deposit, Withdrawal; `money.md` §10). */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { type Desk, has, only, PAIR, refused } from '../desk.js';
import type { Fields } from '../door.js';
import type { WireTransfer } from '../wire-records.js';

const list = (desk: Desk, path: '/deposits' | '/withdrawals', query: Fields = {}) =>
  desk.get<readonly WireTransfer[]>(path, query, 'anna');

const withdraw = (desk: Desk, fields: Fields) =>
  desk.post<WireTransfer>('/auth/withdraw', { ...WITHDRAWAL, timestamp: desk.now, ...fields }, 'anna');
const tryWithdraw = (desk: Desk, fields: Fields) =>
  desk.tryPost('/auth/withdraw', { ...WITHDRAWAL, timestamp: desk.now, ...fields }, 'anna');

const WITHDRAWAL = { asset: 'USD', qty: 100, address: 'my-bank' };

const credit = (desk: Desk, asset: string, qty: number, more: Fields = {}) =>
  desk.admin<WireTransfer>('/deposit', { account: 'anna', asset, qty, ...more });

const record = (resource: string, names: readonly string[]) => names.map((name) => `${resource}.${name}`);
const COMMON = [
  'id',
  'address',
  'customer_id',
  'asset',
  'time',
  'qty',
  'net',
  'status',
  'qty_usd',
  'transaction',
];

export const WALLET_CARDS: readonly Card[] = [
  {
    id: 'TC-600',
    claim:
      'a credited deposit is COMPLETED: quantity, net of the deposit fee, USD at the time, and where it came from',
    endpoints: ['GET /deposits', 'GET /personal'],
    fields: record('Deposit', [...COMMON, 'net_usd', 'transaction.hash', 'transaction.from']),
    needs: ['quiet venue', 'admin'],
    async run(desk) {
      const seen = { address: 'addr-1', hash: '0xabc', from: 'addr-0' };
      const { id } = await credit(desk, 'BTC', 0.5, seen);
      const deposit = only(await list(desk, '/deposits'));
      assert(typeof id === 'string' && id !== '');
      has(deposit, {
        id,
        address: 'addr-1',
        customer_id: 'anna',
        asset: 'BTC',
        time: desk.now,
        qty: 0.5,
        net: 0.5,
        status: 'COMPLETED',
        // The mark is 60 000.
        qty_usd: 30_000,
        net_usd: 30_000,
        transaction: { hash: '0xabc', from: 'addr-0' },
      });
      has(await desk.balance('anna', 'BTC'), {
        free: 0.5,
        locked: 0,
        withdrawn: 0,
        margin: 0,
        pnl: 0,
        fees: 0,
      });
    },
  },
  {
    id: 'TC-601',
    claim: 'net is quantity minus the deposit fee, and net is what is credited',
    endpoints: ['GET /deposits', 'GET /personal'],
    fields: ['Deposit.net', 'Deposit.net_usd', 'Deposit.qty_usd', 'Balance.free', 'Asset.fees.deposit'],
    needs: ['quiet venue', 'admin'],
    async run(desk) {
      await credit(desk, 'TWT', 10);
      // A token is 0.1 USD.
      has(only(await list(desk, '/deposits')), { qty: 10, net: 9, qty_usd: 1, net_usd: 0.9 });
      has(await desk.balance('anna', 'TWT'), { free: 9 });
    },
  },
  {
    id: 'TC-602',
    claim: 'a deposit is PENDING and not credited until it has the confirmations of its asset',
    endpoints: ['GET /deposits', 'GET /personal', 'GET /assets'],
    fields: ['Deposit.status', 'Deposit.time', 'Asset.confirmations'],
    needs: ['quiet venue', 'admin', 'time'],
    async run(desk) {
      const seenAt = desk.now;
      const { id } = await credit(desk, 'BTC', 0.5, { status: 'PENDING' });
      assert.equal((await desk.asset('BTC'))['confirmations'], 3);
      for (let confirmations = 1; confirmations <= 2; confirmations++) {
        await desk.advance(1_000);
        await desk.admin('/deposit/confirm', { id, confirmations: 1 });
        has(only(await list(desk, '/deposits')), { status: 'PENDING', time: seenAt });
        assert.equal((await desk.balances('anna'))['BTC']?.free ?? 0, 0);
      }
      await desk.admin('/deposit/confirm', { id, confirmations: 1 });
      has(only(await list(desk, '/deposits')), { id, status: 'COMPLETED', time: seenAt });
      has(await desk.balance('anna', 'BTC'), { free: 0.5 });
    },
  },
  {
    id: 'TC-603',
    claim: 'a deposit whose sender nobody named has an address of the account and a transaction all the same',
    endpoints: ['GET /deposits', 'GET /personal'],
    fields: ['Deposit.address', 'Deposit.transaction'],
    needs: ['quiet venue', 'admin'],
    async run(desk) {
      await credit(desk, 'USD', 10);
      const { address, transaction } = only(await list(desk, '/deposits'));
      const personal = await desk.get<{ deposit_addresses: Record<string, string> }>('/personal', {}, 'anna');
      assert.equal(address, personal.deposit_addresses['USD']);
      const { hash, from } = transaction as Record<string, unknown>;
      assert(typeof hash === 'string' && hash !== '' && typeof from === 'string' && from !== '');
    },
  },
  {
    id: 'TC-604',
    claim: '/deposits and /withdrawals are newest first and take start, end and limit',
    endpoints: ['GET /deposits', 'GET /withdrawals'],
    needs: ['quiet venue', 'admin', 'time'],
    async run(desk) {
      const first = desk.now;
      for (const qty of [10, 20, 30]) {
        await credit(desk, 'USD', qty);
        await withdraw(desk, { qty });
        await desk.advance(1_000);
      }
      for (const path of ['/deposits', '/withdrawals'] as const) {
        const quantities = async (query: Fields) =>
          (await list(desk, path, query)).map((each) => each['qty']);
        assert.deepEqual(await quantities({}), [30, 20, 10], path);
        assert.deepEqual(await quantities({ limit: 2 }), [30, 20], path);
        assert.deepEqual(await quantities({ start: first + 1_000, end: first + 1_000 }), [20], path);
      }
    },
  },
  {
    id: 'TC-605',
    claim: 'the fee of a deposit counts among the fees of the balance',
    endpoints: ['GET /personal'],
    fields: ['Balance.fees'],
    needs: ['quiet venue', 'admin'],
    async run(desk) {
      await credit(desk, 'TWT', 10);
      has(await desk.balance('anna', 'TWT'), { fees: 1 });
    },
  },
  {
    id: 'TC-610',
    claim: 'a withdrawal is PENDING when it is submitted: net of its fee, not approved by hand',
    endpoints: ['POST /auth/withdraw', 'GET /withdrawals'],
    fields: record('Withdrawal', [...COMMON, 'manually_approved', 'transaction.hash', 'transaction.from']),
    needs: ['quiet venue'],
    async run(desk) {
      const withdrawal = await withdraw(desk, {});
      assert(typeof withdrawal.id === 'string' && withdrawal.id !== '');
      has(withdrawal, {
        address: 'my-bank',
        customer_id: 'anna',
        asset: 'USD',
        time: desk.now,
        qty: 100,
        net: 99,
        status: 'PENDING',
        manually_approved: false,
        qty_usd: 100,
      });
      const transaction = { hash: `withdrawal-${withdrawal.id}`, from: 'venue' };
      assert.deepEqual(withdrawal['transaction'], transaction);
      assert.deepEqual(await list(desk, '/withdrawals'), [withdrawal]);
    },
  },
  {
    id: 'TC-611',
    claim:
      'example L: 100 move from free to withdrawn, and leave with the confirmation, 1 of them as the fee',
    endpoints: ['POST /auth/withdraw', 'GET /withdrawals', 'GET /personal'],
    fields: [
      'Balance.free',
      'Balance.withdrawn',
      'Withdrawal.status',
      'Withdrawal.net',
      'Asset.fees.withdrawal',
    ],
    needs: ['quiet venue', 'admin', 'time'],
    async run(desk) {
      const { id, time } = await withdraw(desk, {});
      has(await desk.balance('anna'), { free: 99_900, withdrawn: 100 });
      await desk.advance(5_000);
      await desk.admin('/withdrawal/confirm', { id });
      has(await desk.balance('anna'), { free: 99_900, withdrawn: 0 });
      has(only(await list(desk, '/withdrawals')), {
        id,
        time,
        status: 'COMPLETED',
        qty: 100,
        net: 99,
        manually_approved: false,
      });
    },
  },
  {
    id: 'TC-612',
    claim: 'a withdrawal that is dropped gives the money back and leaves the list',
    endpoints: ['GET /withdrawals', 'GET /personal'],
    fields: ['Balance.withdrawn', 'Withdrawal.id'],
    needs: ['quiet venue', 'admin'],
    async run(desk) {
      const { id } = await withdraw(desk, {});
      await desk.admin('/withdrawal/drop', { id });
      has(await desk.balance('anna'), { free: 100_000, withdrawn: 0, fees: 0 });
      assert.deepEqual(await list(desk, '/withdrawals'), []);
    },
  },
  {
    id: 'TC-613',
    claim: 'USD of a withdrawal in another asset is at the mark of the time it was asked for',
    endpoints: ['POST /auth/withdraw'],
    fields: ['Withdrawal.qty_usd'],
    needs: ['quiet venue', 'admin', 'time'],
    async run(desk) {
      await credit(desk, 'BTC', 1);
      await desk.index(PAIR, 61_000);
      has(await withdraw(desk, { asset: 'BTC', qty: 0.5 }), { qty: 0.5, net: 0.4998, qty_usd: 30_500 });
      await desk.index(PAIR, 60_000);
      has(only(await list(desk, '/withdrawals')), { qty_usd: 30_500 });
    },
  },
  {
    id: 'TC-614',
    claim: 'the least withdrawal is min_withdrawal; less is refused with "withdrawal below minimum"',
    endpoints: ['POST /auth/withdraw'],
    fields: ['Asset.min_withdrawal'],
    needs: ['quiet venue'],
    async run(desk) {
      refused(await tryWithdraw(desk, { qty: '9.99999999' }), 'withdrawal below minimum');
      await withdraw(desk, { qty: 10 });
    },
  },
  {
    id: 'TC-615',
    claim: 'an asset that is not withdrawable is refused with "not withdrawable"',
    endpoints: ['POST /auth/withdraw'],
    fields: ['Asset.withdrawable'],
    needs: ['quiet venue', 'admin'],
    async run(desk) {
      await credit(desk, 'TWT', 201);
      refused(await tryWithdraw(desk, { asset: 'TWT', qty: 100 }), 'not withdrawable');
    },
  },
  {
    id: 'TC-616',
    claim: 'only what is available may be withdrawn: not what margin and orders take',
    endpoints: ['POST /auth/withdraw', 'GET /personal'],
    fields: ['Balance.free'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.trade(60_000, 0.5);
      await desk.place('anna', { side: 'BUY', price: 50_000, qty: 0.1 });
      const { free } = await desk.balance('anna');
      // In units of 10⁻⁸, which a double of this size still tells apart.
      const more = (Math.round(free * 1e8) + 1) / 1e8;
      refused(await tryWithdraw(desk, { qty: more.toFixed(8) }), 'insufficient balance');
      await withdraw(desk, { qty: free.toFixed(8) });
      has(await desk.balance('anna'), { free: 0 });
    },
  },
  {
    id: 'TC-617',
    claim: 'a pending withdrawal pays for no order',
    endpoints: ['POST /auth/withdraw', 'POST /auth/order'],
    needs: ['quiet venue'],
    async run(desk) {
      await withdraw(desk, { qty: 99_900 });
      refused(await desk.tryPlace('anna', { side: 'BUY', price: 60_000, qty: 0.5 }), 'insufficient balance');
    },
  },
  {
    id: 'TC-618',
    claim: 'asset, qty and address of a withdrawal are required and must make sense',
    endpoints: ['POST /auth/withdraw'],
    needs: ['quiet venue'],
    async run(desk) {
      const ask = async (fields: Fields) => {
        const body = new URLSearchParams(
          Object.entries({ ...WITHDRAWAL, timestamp: desk.now, ...fields })
            .filter(([, value]) => value !== undefined)
            .map(([name, value]): [string, string] => [name, String(value)]),
        ).toString();
        return desk.send({
          method: 'POST',
          target: '/auth/withdraw',
          headers: desk.signed('anna', body),
          body,
        });
      };
      refused(await ask({ asset: undefined }), 'malformed: asset');
      refused(await ask({ asset: 'XYZ' }), 'malformed: asset');
      refused(await ask({ qty: undefined }), 'malformed: qty');
      refused(await ask({ qty: 'all' }), 'malformed: qty');
      refused(await ask({ address: undefined }), 'malformed: address');
      refused(await ask({ address: '' }), 'malformed: address');
      refused(await ask({ timestamp: undefined }), 'malformed: timestamp');
      refused(await ask({ qty: '10.123456789' }), 'quantity off step');
      assert.deepEqual(await list(desk, '/withdrawals'), []);
    },
  },
  {
    id: 'TC-619',
    claim: 'the fee of a withdrawal counts among the fees of the balance when it is paid out',
    endpoints: ['GET /personal'],
    fields: ['Balance.fees'],
    needs: ['quiet venue', 'admin'],
    async run(desk) {
      const { id } = await withdraw(desk, {});
      has(await desk.balance('anna'), { fees: 0 });
      await desk.admin('/withdrawal/confirm', { id });
      has(await desk.balance('anna'), { fees: 1 });
    },
  },
];
