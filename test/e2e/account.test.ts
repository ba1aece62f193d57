import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS, oneDocument, run, type Running, runJson, start, withFolder } from './program.js';
import { NO_TERMINAL, runOnTerminal, type Step } from './terminal.js';

const PAIR = 'USD_BTC_PERP';
const OTHER = { TICKWRIGHT_VENUE__API_KEY: 'other-key', TICKWRIGHT_VENUE__API_SECRET: 'other-secret' };
const ACCOUNTS = [KEYS, OTHER].flatMap(({ TICKWRIGHT_VENUE__API_KEY, TICKWRIGHT_VENUE__API_SECRET }) => [
  '--account',
  `${TICKWRIGHT_VENUE__API_KEY}:${TICKWRIGHT_VENUE__API_SECRET}`,
]);
/** Far below the market, where nothing trades. */
const FAR = '50000';

type Record_ = Readonly<Record<string, unknown>>;

interface Venue {
  readonly running: Running;
  readonly url: string;
  readonly adminUrl: string;
}

async function openVenue(...args: readonly string[]): Promise<Venue> {
  const running = start(['venue', '--port', '0', '--admin-port', '0', ...ACCOUNTS, ...args]);
  const first = (await running.said('listening')).split('\n')[0] ?? '';
  const { listening, adminUrl } = JSON.parse(first) as { listening: string; adminUrl: string };
  return { running, url: listening, adminUrl };
}

async function closeVenue({ running }: Venue): Promise<void> {
  running.child.kill('SIGTERM');
  await running.ended;
}

let venue: Venue;
beforeAll(async () => {
  venue = await openVenue('--synthetic', '3', '--deposit', 'USD=50000', '--deposit', 'BTC=2');
});
afterAll(() => closeVenue(venue));

const at = (...args: readonly string[]) => [...args, '--venue', venue.url];
const json = (args: readonly string[], env = KEYS) => runJson([...at(...args), '--json'], { env });
const list = async (name: string, args: readonly string[], env = KEYS): Promise<readonly Record_[]> =>
  (await json(args, env))[name] as readonly Record_[];
const plain = (args: readonly string[], env = KEYS) => run(at(...args), { env });

/** Places an order that the venue accepts; its record. */
async function place(...args: readonly string[]): Promise<Record_> {
  const { outcome, order } = await json(['order', '--pair', PAIR, '--yes', ...args]);
  expect(outcome).toBe('accepted');
  return order as Record_;
}

async function tellAdmin(path: string, fields: Readonly<Record<string, string>>): Promise<Record_> {
  const answer = await fetch(`${venue.adminUrl}${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  });
  const { code, result } = (await answer.json()) as { code: number; result: Record_ };
  expect(code).toBe(200);
  return result;
}

describe('what a venue shows', () => {
  it.each([
    ['assets', 'assets', ['key', 'precision', 'withdrawable', 'minWithdrawal']],
    ['ticker', 'tickers', ['pair', 'lastPrice', 'markPrice', 'indexPrice']],
    ['markets', 'markets', ['pair', 'price', 'quantity']],
    ['trades', 'trades', ['id', 'time', 'price', 'quantity']],
    ['candles', 'candles', ['openTime', 'open', 'high', 'low', 'close']],
  ])('is read by `%s`, as a table and as one document', async (command, name, keys) => {
    const [document, { code, stdout }] = await Promise.all([
      json([command], {} as typeof KEYS),
      plain([command]),
    ]);
    const records = document[name] as readonly Record_[];
    expect(records.length).toBeGreaterThan(0);
    for (const key of keys) expect(records[0]).toHaveProperty(key);
    expect(code).toBe(0);
    expect(stdout.split('\n').length).toBeGreaterThan(2);
  });

  it('has bids below asks in its depth', async () => {
    const { bids, asks } = await json(['depth', '--limit', '3']);
    const best = (levels: unknown) => Number((levels as readonly { price: string }[])[0]?.price);
    expect(best(bids)).toBeLessThan(best(asks));
    expect(bids).toHaveLength(3);
  });
});

describe('an order', () => {
  it('without --yes where nobody can be asked is not sent', async () => {
    const { code, stdout, stderr } = await plain([
      'order',
      '--pair',
      PAIR,
      '--side',
      'buy',
      '--quantity',
      '1',
    ]);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('--yes must be given where nobody can be asked');
    expect(await list('positions', ['positions'])).toEqual([]);
  });

  it('that the gate refuses never leaves, and the document says so', async () => {
    const order = [
      'order',
      '--pair',
      PAIR,
      '--side',
      'buy',
      '--quantity',
      '51',
      '--price',
      FAR,
      '--yes',
      '--json',
    ];
    const { code, stdout, stderr } = await plain(order);
    expect(code).toBe(1);
    const reason = 'interest: resulting position must be at most 50, received 51';
    expect(oneDocument(stdout)).toMatchObject({ outcome: 'not-sent', reason });
    expect(stderr).toContain(`refused before it was sent: ${reason}`);
    expect(await list('orders', ['orders', '--state', 'all'])).toEqual([]);
    expect((await plain(['orders', '--state', 'all'])).stdout).toBe('no orders\n');
  });

  it('rests, is listed with what it was asked for, and is canceled and proven gone', async () => {
    const asked = ['--side', 'buy', '--quantity', '0.02', '--price', FAR, '--post-only', '--oco', 'mine'];
    const { id } = await place(...asked);
    const [order] = await list('orders', ['orders', '--pair', PAIR]);
    const facts = {
      id,
      side: 'buy',
      quantity: '0.02',
      price: FAR,
      status: 'ACTIVE',
      postOnly: true,
      oco: 'mine',
    };
    expect(order).toMatchObject(facts);
    expect(await list('orders', ['orders', String(id)])).toMatchObject([facts]);
    expect(await list('orders', ['orders'], OTHER)).toEqual([]);

    const gone = await json(['cancel', String(id), '--yes']);
    expect(gone).toMatchObject({ outcome: 'done', orders: [{ id, status: 'CANCELLED' }] });
    expect(await list('orders', ['orders'])).toEqual([]);
    expect((await list('orders', ['orders', '--state', 'canceled'])).map((each) => each['id'])).toContain(id);

    const again = await plain(['cancel', String(id), '--yes']);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('the venue refused the cancel: order already done');
  });

  it('are not told to be unknown where the venue refuses the key, also where no refusal is trusted', () =>
    withFolder(async (folder) => {
      const config = join(folder, 'bot.yaml');
      const address = `venue: { url: ${venue.url}, profile: cautious }`;
      await writeFile(config, `version: 1\n${address}\nstate: ${join(folder, 'state')}\n`);
      const env = { ...KEYS, TICKWRIGHT_VENUE__API_KEY: 'nobody' };
      const { code, stderr } = await run(['cancel', '1', '--yes', '--config', config], { env });
      expect([code, stderr]).toEqual([77, expect.stringMatching(/refuses the key: unknown key/)]);
      expect(stderr).not.toContain('knows no order');
      const wrong = { ...KEYS, TICKWRIGHT_VENUE__API_SECRET: 'wrong' };
      const many = await plain(['cancel', '1', '2', '--yes'], wrong);
      expect([many.code, many.stderr]).toEqual([
        77,
        expect.stringContaining('the venue refused the cancel: bad signature'),
      ]);
      const raw = await plain(['request', 'POST', '/auth/cancel', 'id=1', '--yes'], wrong);
      expect([raw.code, raw.stderr]).toEqual([
        77,
        expect.stringContaining('POST /auth/cancel: bad signature'),
      ]);
    }));

  it('is in doubt while the order cannot be read, and is never said to be done', () =>
    withFolder(async (folder) => {
      const faults = join(folder, 'faults.yaml');
      const busy = { fault: 'unavailable', executed: false };
      const place = { path: ['/auth/cancel', '/order'] };
      await writeFile(
        faults,
        JSON.stringify({ version: 1, seed: 1, rules: [{ name: 'busy', place, ...busy }] }),
      );
      const ill = await openVenue('--synthetic', '3', '--faults', faults);
      const ask = (...args: readonly string[]) =>
        run([...args, '--venue', ill.url, '--json', ...(args[0] === 'orders' ? [] : ['--yes'])], {
          env: KEYS,
        });
      const terms = ['--pair', PAIR, '--side', 'buy', '--quantity', '0.01', '--price', FAR];
      const { order } = oneDocument((await ask('order', ...terms)).stdout) as { order: { id: string } };
      const { code, stdout, stderr } = await ask('cancel', order.id);
      const doubt = { outcome: 'in-doubt', orders: [], unknown: [], stillOpen: [order.id] };
      expect(oneDocument(stdout)).toEqual({ schemaVersion: 1, ...doubt });
      expect(stderr).toContain(`not proven canceled: ${order.id} (the newest read failed: `);
      expect(code).toBe(1);
      await closeVenue(ill);
    }));

  it('says where a list gives less than was asked for', async () => {
    const { stderr } = await plain(['orders', '--limit', '101', '--profile', 'cautious']);
    expect(stderr).toMatch(/^warning: --limit 101 gives the newest 100 at most/);
    expect((await plain(['orders', '--limit', '100', '--profile', 'cautious'])).stderr).toBe('');
  });

  it('may be hidden, an iceberg or a trigger; --all takes the working ones and leaves the trigger', async () => {
    const buy = ['--side', 'buy', '--quantity', '0.02', '--price', FAR];
    expect(await place(...buy, '--hidden')).toMatchObject({ hidden: true });
    expect(await place(...buy, '--icebergs', '4')).toMatchObject({ icebergs: 4 });
    const sell = [
      '--side',
      'sell',
      '--quantity',
      '0.02',
      '--trigger-price',
      '30000',
      '--trigger-event',
      'last',
    ];
    const trigger = await place(...sell);
    expect(trigger).toMatchObject({ status: 'UNTRIGGERED', triggerPrice: '30000', triggerEvent: 'last' });

    expect((await json(['cancel', '--all', '--yes']))['orders']).toHaveLength(2);
    expect(await list('orders', ['orders'])).toEqual([]);
    const waiting = await list('triggers', ['triggers', '--pair', PAIR]);
    expect(waiting.map((each) => each['id'])).toContain(trigger['id']);
    await json(['cancel', String(trigger['id']), '--yes']);
    const left = await list('triggers', ['triggers', '--pair', PAIR]);
    expect(left.filter((each) => each['status'] === 'UNTRIGGERED')).toEqual([]);
  });

  it('may come with others from a file, all or none', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'orders.ndjson');
      const line = (order: object) => `${JSON.stringify({ side: 'buy', quantity: '0.01', ...order })}\n`;
      await writeFile(file, line({ price: '50000' }) + line({ price: '49000.5', postOnly: true }));
      const { orders } = await json(['order', '--pair', PAIR, '--bulk', file, '--yes']);
      expect(orders).toMatchObject([
        { price: '50000', postOnly: false },
        { price: '49000.5', postOnly: true },
      ]);
      const ids = (orders as readonly { id: string }[]).map(({ id }) => id);
      expect((await json(['cancel', ...ids, '--yes']))['orders']).toMatchObject([
        { status: 'CANCELLED' },
        { status: 'CANCELLED' },
      ]);

      await writeFile(file, line({ price: '50000' }) + line({ price: '49000.55' }));
      expect((await plain(['order', '--pair', PAIR, '--bulk', file, '--yes'])).code).toBe(1);
      await writeFile(file, line({ prize: '50000' }));
      const wrong = await plain(['order', '--pair', PAIR, '--bulk', file, '--yes']);
      expect(wrong.code).toBe(2);
      expect(wrong.stderr).toContain(`${file}:1: expected one of the keys`);
      expect(wrong.stderr).toContain('(did you mean price?)');
      expect(await list('orders', ['orders'])).toEqual([]);
    }));
});

describe('a position', () => {
  it('is opened, made isolated, given margin, relieved of some, and closed', async () => {
    expect(await place('--side', 'buy', '--quantity', '0.1')).toMatchObject({ status: 'COMPLETED' });
    const [opened] = await list('positions', ['positions']);
    expect(opened).toMatchObject({ pair: PAIR, quantity: '0.1', direction: 'buy' });
    const fills = await list('fills', ['fills', '--pair', PAIR]);
    expect(fills.reduce((sum, fill) => sum + Number(fill['quantity']), 0)).toBeCloseTo(0.1, 9);

    // Isolated at 10: a tenth of the cost, up to the next unit of 10^-8.
    await json(['leverage', '10', '--pair', PAIR, '--yes']);
    // Without the funding (a profit is positive), which comes into the margin on each hour of the clock.
    const margin = async () => {
      const [position] = await list('positions', ['positions', '--pair', PAIR]);
      return Number(position?.['margin']) - Number(position?.['funding']);
    };
    const cost = fills.reduce((sum, fill) => sum + Number(fill['quantity']) * Number(fill['price']), 0);
    const isolated = await margin();
    expect(isolated).toBeCloseTo(cost / 10, 6);
    const { outcome, positions } = await json(['fund', '100', '--pair', PAIR, '--yes']);
    expect(outcome).toBe('done');
    expect(positions).toHaveLength(1);
    expect(await margin()).toBeCloseTo(isolated + 100, 6);
    await json(['draw', '40', '--pair', PAIR, '--yes']);
    expect(await margin()).toBeCloseTo(isolated + 60, 6);
    const refused = await plain(['draw', '1000000', '--pair', PAIR, '--yes']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('the venue refused the drawing of margin');
    expect(await margin()).toBeCloseTo(isolated + 60, 6);

    const { order } = await json(['close', '--pair', PAIR, '--quantity', '0.04', '--yes']);
    expect(order).toMatchObject({ side: 'sell', quantity: '0.04', reduceOnly: true, status: 'COMPLETED' });
    expect(await json(['close', '--pair', PAIR, '--yes'])).toMatchObject({ outcome: 'accepted' });
    expect(await list('positions', ['positions'])).toEqual([]);
    expect(await list('positions', ['positions', '--state', 'completed'])).toMatchObject([{ pair: PAIR }]);
    const flat = await plain(['close', '--pair', PAIR, '--yes']);
    expect(flat.code).toBe(1);
    expect(flat.stderr).toContain(`there is no open position on ${PAIR}`);
  });
});

describe('money', () => {
  it('comes in as a deposit that is pending, then completed', async () => {
    const { id } = await tellAdmin('/deposit', {
      account: 'account-1',
      asset: 'BTC',
      qty: '0.5',
      status: 'PENDING',
    });
    const find = async () => (await list('deposits', ['deposits'])).find((each) => each['id'] === String(id));
    expect(await find()).toMatchObject({ asset: 'BTC', quantity: '0.5', status: 'PENDING' });
    await tellAdmin('/deposit/confirm', { id: String(id) });
    expect(await find()).toMatchObject({ status: 'COMPLETED' });
    expect(await list('deposits', ['deposits'], OTHER)).toEqual([]);
    const btc = (await list('balances', ['balances'])).find(({ asset }) => asset === 'BTC');
    expect(btc).toMatchObject({ free: '2.5' });
    const { account } = await json(['account']);
    expect(account).toHaveProperty('balances');
  });

  it('does not go out without a terminal', async () => {
    const { code, stdout, stderr } = await plain(['withdraw', '--asset', 'BTC', '--quantity', '1']);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('withdraw must have a person at a terminal');
    expect(await list('withdrawals', ['withdrawals'])).toEqual([]);
  });

  it('does not go out through the raw door', async () => {
    const fields = ['asset=BTC', 'qty=1', 'address=a', '--auth', 'signed', '--yes'];
    const { code, stderr } = await plain(['request', 'POST', '/auth/withdraw', ...fields]);
    expect(stderr).toContain('the path of a raw request must be');
    expect(code).toBe(2);
    expect(await list('withdrawals', ['withdrawals'])).toEqual([]);
  });
});

describe('a pair that the venue does not have', () => {
  it.each(['ticker', 'depth', 'fills', 'orders', 'triggers', 'positions'])('%s', async (command) => {
    const { code, stderr } = await plain([command, '--pair', 'NOPE']);
    expect(stderr).toMatch(
      /^error: --pair must be a market of the venue \(.*USD_BTC_PERP.*\), received NOPE\n$/,
    );
    expect(code).toBe(2);
  });
});

describe('the raw door', () => {
  it('gives what the venue answers, for reads and for writes', async () => {
    const { result } = await json(['request', 'GET', '/ticker', `pair=${PAIR}`]);
    expect(result).toHaveProperty([PAIR, 'mark_price']);
    const keyed = await json(['request', 'GET', '/position', `pair=${PAIR}`, '--auth', 'key']);
    expect(keyed['result']).toMatchObject({ size: 0 });
    const body = [`pair=${PAIR}`, 'side=BUY', 'qty=0.01', 'price=50000'];
    const placed = await json(['request', 'POST', '/auth/order', ...body, '--yes']);
    expect(placed['result']).toMatchObject({ order: { status: 'ACTIVE' } });
    const bad = await plain(['request', 'POST', '/auth/order', 'pair=NONE', '--yes']);
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain('the venue refused POST /auth/order: unknown pair');
    await json(['cancel', '--all', '--pair', PAIR, '--yes']);
    expect((await plain(['request', 'POST', '/auth/order', 'pair=X'])).code).toBe(2);
  });
});

describe.skipIf(NO_TERMINAL !== undefined)(
  `a person at a terminal${NO_TERMINAL === undefined ? '' : `: ${NO_TERMINAL}`}`,
  () => {
    const talk = (args: readonly string[], ...steps: readonly Step[]) =>
      runOnTerminal(at(...args), steps, KEYS);

    it('is asked before an order leaves, and may say no', async () => {
      const order = ['order', '--pair', PAIR, '--side', 'buy', '--quantity', '0.01', '--price', FAR];
      const refused = await talk(order, ['Do it? [y/N]', '\r']);
      expect(refused.stdout).toContain(`buy 0.01 BTC at ${FAR} USD on ${PAIR}`);
      expect(refused.stdout).toContain('nothing was sent');
      expect(refused.code).toBe(1);
      expect((await talk(order, ['Do it? [y/N]', '\u0004'])).stdout).toContain('nothing was sent');
      expect(await list('orders', ['orders'])).toEqual([]);
      const sent = await talk(order, ['Do it? [y/N]', 'y\r']);
      expect(sent.code).toBe(0);
      expect(await list('orders', ['orders'])).toHaveLength(1);
      await json(['cancel', '--all', '--yes']);
    });

    it('withdraws by typing the address twice, and sees quantity, fee and what arrives before', async () => {
      const withdraw = ['withdraw', '--asset', 'BTC', '--quantity', '0.3'];
      const address = 'bc1qexampleaddress';
      for (const [steps, said] of [
        [
          [
            ['address: ', `${address}\r`],
            ['again: ', 'bc1qexampleaddresS\r'],
          ],
          'the two addresses differ',
        ],
        [
          [
            ['address: ', `${address}\r`],
            ['again: ', '\u0004'],
          ],
          'no address was given',
        ],
        [
          [
            ['address: ', `${address}\r`],
            ['again: ', `${address}\r`],
            ['to send it: ', '0.4\r'],
          ],
          'was not confirmed',
        ],
      ] as const) {
        const { code, stdout } = await talk(withdraw, ...steps);
        expect(stdout).toContain(said);
        expect(stdout).toContain('nothing was sent');
        expect(code).toBe(1);
      }
      expect(await list('withdrawals', ['withdrawals'])).toEqual([]);

      const { code, stdout } = await talk(
        withdraw,
        ['address: ', `${address}\r`],
        ['again: ', `${address}\r`],
        ['Type 0.3 to send it: ', '0.3\r'],
      );
      expect(code, stdout).toBe(0);
      expect(stdout).toMatch(/leaves the account\s+0\.3 BTC/);
      const fee = (await list('assets', ['assets'])).find(({ key }) => key === 'BTC')?.['fees'] as {
        withdrawal: string;
      };
      expect(stdout).toMatch(new RegExp(`fee\\s+${fee.withdrawal} BTC`));
      const net = String((3_000_000 - Number(fee.withdrawal) * 10_000_000) / 10_000_000);
      expect(stdout).toMatch(new RegExp(`arrives\\s+${net} BTC`));

      const [pending] = await list('withdrawals', ['withdrawals']);
      expect(pending).toMatchObject({ asset: 'BTC', quantity: '0.3', net, address, status: 'PENDING' });
      await tellAdmin('/withdrawal/confirm', { id: String(pending?.['id']) });
      expect(await list('withdrawals', ['withdrawals'])).toMatchObject([{ status: 'COMPLETED' }]);
    });

    it('hears what cannot be withdrawn before any address is asked for', async () => {
      for (const [args, said] of [
        [['--asset', 'TWT', '--quantity', '200'], 'can be withdrawn'],
        [['--asset', 'XYZ', '--quantity', '1'], 'an asset of the venue'],
        [['--asset', 'BTC', '--quantity', '0.0001'], 'at least 0.001'],
        [['--asset', 'BTC', '--quantity', '0.123456789'], 'smallest unit'],
      ] as const) {
        const { code, stdout } = await talk(['withdraw', ...args]);
        expect(stdout).toContain(said);
        expect(stdout).not.toContain('address:');
        expect(code).toBe(2);
      }
    });
  },
);

describe('a venue that loses answers', () => {
  it('leaves an order in doubt, which is said together with what to do; a cancel is settled by reading', () =>
    withFolder(async (folder) => {
      const faults = join(folder, 'faults.yaml');
      await writeFile(
        faults,
        'version: 1\nseed: 1\nrules:\n  - name: lost\n    place: { method: POST, path: /auth/order }\n    fault: reset\n    executed: true\n  - place: { method: POST, path: /auth/cancel }\n    fault: reset\n    executed: true\n',
      );
      const faulty = await openVenue('--faults', faults);
      try {
        const where = ['--venue', faulty.url];
        const order = [
          '--pair',
          PAIR,
          '--side',
          'buy',
          '--quantity',
          '0.01',
          '--price',
          FAR,
          '--yes',
          '--json',
        ];
        const { code, stdout, stderr } = await run(['order', ...order, ...where], { env: KEYS });
        expect(code).toBe(1);
        expect(oneDocument(stdout)).toMatchObject({ outcome: 'in-doubt' });
        expect(stderr).toContain('Do not send it again before you have looked');
        const [, look = ''] = /^ {2}tickwright (orders .*)$/m.exec(stderr) ?? [];
        const { orders } = await runJson([...look.split(' '), '--json'], { env: KEYS });
        expect(orders).toMatchObject([{ price: FAR, status: 'ACTIVE' }]);

        // The cancel's answer is lost too; a later read proves it nevertheless.
        const [{ id } = { id: '' }] = orders as readonly { id: string }[];
        const canceled = await run(['cancel', id, '--yes', '--json', ...where], { env: KEYS });
        expect(canceled.stderr).toContain('the cancel is in doubt');
        expect(oneDocument(canceled.stdout)).toMatchObject({
          outcome: 'done',
          orders: [{ id, status: 'CANCELLED' }],
        });
        expect(canceled.code).toBe(0);
      } finally {
        await closeVenue(faulty);
      }
    }));
});

describe('a dialect', () => {
  it('is a file over a profile that ships, and what is wrong in it is named by its place', () =>
    withFolder(async (folder) => {
      const profile = join(folder, 'venue.yaml');
      const read = () => run(['time', '--json', '--venue', venue.url, '--profile', profile]);
      await writeFile(profile, 'base: tickwright\nmaxLimit: 5\n');
      expect((await read()).code).toBe(0);
      await writeFile(profile, 'base: tickwright\nbulk:\n  maxOrders: 0\n');
      const wrong = await read();
      expect(wrong.code).toBe(2);
      expect(wrong.stderr).toMatch(/venue\.yaml:3:14 bulk\.maxOrders: expected a whole number/);
      expect(wrong.stderr).toMatch(/\n\s+\|\s+\^\n/);
      expect((await run(['time', '--venue', venue.url, '--profile', 'tickwrong'])).stderr).toContain(
        '--profile must be',
      );
    }));
});
