/** The daemon and its sentinel as real processes on a venue that fails; bounds are asserted at five times what is aimed at. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { StopProof } from '../../src/runner/stop/stop-proof.js';
import { mountSmallDisk, mountsSmallDisks, unmountSmallDisk } from '../support/small-disk.js';
import { machine, PAIR, withDesk } from './daemon-desk.js';
import { asserted } from './machine-speed.js';
import { isAlive, KEYS, oneDocument, run, withFolder, writePackage } from './program.js';
import { seeded } from './venue-door.js';

const STATUS_MS = 400;
const PANIC_MS = 2_000;
/** Of a sentinel, which asks each second and waits 150 ms: no machine is so slow that it never answers in time. */
const HUNG_MS = 10_000;
const WRONG = { ...KEYS, TICKWRIGHT_VENUE__API_KEY: 'another-key' };
const UNSIGNED = { ...KEYS, TICKWRIGHT_VENUE__API_SECRET: 'another-secret' };
const CANCEL = /\/auth\/cancel/;
const ORDER = /\/auth\/order/;

function figure(name: string, ms: number): void {
  process.stdout.write(`figure: ${name}: ${Math.round(ms)} ms\n`);
}

/** Quotes once and never anew: what is canceled was canceled by somebody else. */
const STILL = `import { defineStrategy, quote } from 'tickwright';
export default defineStrategy({
  name: 'still',
  create() {
    let quoted = false;
    return {
      onTicker({ bidPrice, askPrice }) {
        if (quoted || bidPrice === undefined || askPrice === undefined) return undefined;
        quoted = true;
        return quote({ bid: { price: bidPrice * 0.99, quantity: 0.1 }, ask: { price: askPrice * 1.01, quantity: 0.1 } });
      },
    };
  },
});
`;

/** Quotes once, and throws as soon as a package says so. */
const THROWING = `import { defineStrategy, quote } from 'tickwright';
import { isDue } from 'due';
export default defineStrategy({
  name: 'throwing',
  create() {
    let quoted = false;
    return {
      onTicker({ bidPrice, askPrice }) {
        if (isDue()) throw new Error('no such luck');
        if (quoted || bidPrice === undefined || askPrice === undefined) return undefined;
        quoted = true;
        return quote({ bid: { price: bidPrice * 0.99, quantity: 0.1 }, ask: { price: askPrice * 1.01, quantity: 0.1 } });
      },
    };
  },
});
`;

/** Says so when the file is there. */
const due = (file: string) => `import { existsSync } from 'node:fs';
export const isDue = () => existsSync(${JSON.stringify(file)});
`;

/** Quotes, and throws in a timer of a package. */
const CARELESS = `import { defineStrategy, quote } from 'tickwright';
import { later } from 'carefree';
let waits = false;
export default defineStrategy({
  name: 'careless',
  create: () => ({
    onTrade({ price }) {
      if (!waits) later(() => { throw new Error('nobody waits for it'); });
      waits = true;
      return quote({ bid: { price: Math.round(price * 0.99), quantity: '0.01' } });
    },
  }),
});
`;

/** Calls when the file is there. */
const carefree = (file: string) => `import { existsSync } from 'node:fs';
export const later = (call) => {
  const timer = setInterval(() => {
    if (!existsSync(${JSON.stringify(file)})) return;
    clearInterval(timer);
    call();
  }, 50);
};
`;

/** Never ends some seconds after both of its orders are at the venue. */
const BLOCKING = `import { defineStrategy, quote } from 'tickwright';
export default defineStrategy({
  name: 'blocking',
  create(_, context) {
    let quoted = false;
    let tickers = 0;
    return {
      onTicker({ bidPrice, askPrice }) {
        const resting = context.workingOrders.filter(({ orderId }) => orderId !== undefined).length;
        if (resting === 2 && ++tickers > 15) for (;;);
        if (quoted || bidPrice === undefined || askPrice === undefined) return undefined;
        quoted = true;
        return quote({ bid: { price: bidPrice * 0.99, quantity: 0.1 }, ask: { price: askPrice * 1.01, quantity: 0.1 } });
      },
    };
  },
});
`;

describe('a daemon', () => {
  it('starts, trades, refuses a second one, comes back from kill -9 and quotes again, and ends in order', () =>
    withFolder((folder) =>
      withDesk({ folder }, async (desk) => {
        const first = await desk.start();
        figure('start to two quotes at the venue', await desk.quoting());
        const asked = performance.now();
        await desk.status();
        const took = performance.now() - asked;
        figure('status as a command', took);
        expect(took).toBeLessThan(asserted(STATUS_MS));
        await desk.said('what runs', (status) =>
          expect(status).toMatchObject({
            state: 'running',
            mode: 'live',
            pid: first,
            pairs: [{ state: 'SYNCED' }],
          }),
        );

        const second = await desk.tickwright('start', '--live', '--no-certificate');
        expect(second.code).toBe(75);
        expect(second.stderr).toContain(`process ${first} runs there already`);
        expect(isAlive(first)).toBe(true);

        // Nor with a state of its own: the key is the same.
        const elsewhere = join(folder, 'elsewhere.yaml');
        const text = readFileSync(desk.config, 'utf8');
        writeFileSync(elsewhere, text.replace(desk.state, join(folder, 'another-state')));
        const start = ['start', '--config', elsewhere, '--live', '--no-certificate'];
        const rival = await run([...start, '--detach'], { env: KEYS });
        expect(rival.code).toBe(75);
        expect(rival.stderr).toContain(`a second one: process ${first} trades with it already`);
        const refused = await run(start, { env: WRONG });
        expect(refused.code).toBe(77);
        expect(refused.stderr).toMatch(/refuses the key: .*\nhint: /);
        expect(isAlive(first)).toBe(true);

        process.kill(first, 'SIGKILL');
        await desk.until('its end', () => !isAlive(first));
        // An order that left just before may still be on its way.
        await desk.until('its last words', () => desk.door.isQuiet());
        const left = await desk.orders();
        // Its orders are canceled as soon as the venue takes a key: that is waited for. It may have died between two quotes.
        if (left.length > 0) {
          const waits = await run([...start.with(2, desk.config), '--detach', '--json'], { env: WRONG });
          expect(waits.code, waits.stderr).toBe(3);
          const waiting = Number(oneDocument(waits.stdout)['pid']);
          process.kill(waiting, 'SIGKILL');
          await desk.until('its end, too', () => !isAlive(waiting));
          for (const id of await desk.orders()) expect(left).toContain(id);
        }
        const killed = performance.now();
        await desk.start();
        await desk.until('SYNCED', async () => (await desk.status()).pairs[0]?.state === 'SYNCED');
        figure('kill -9 to SYNCED', performance.now() - killed);
        await desk.until('new quotes', async () => {
          const now = await desk.orders();
          return now.length >= 2 && now.every((id) => !left.includes(id));
        });
        figure('kill -9 to two new quotes', performance.now() - killed);

        const stopped = await desk.tickwright('stop', '--flat', '--json');
        expect(stopped.code, stopped.stderr).toBe(0);
        expect(await desk.orders()).toEqual([]);
        expect(await desk.position()).toBe(0);
        expect(existsSync(join(desk.state, 'daemon.json'))).toBe(false);

        // Reads carry the key alone: without a signed request it would be found out at the first order.
        const unsigned = await run(start.with(2, desk.config), { env: UNSIGNED });
        expect(unsigned.code, unsigned.stderr).toBe(77);
        expect(unsigned.stderr).toMatch(/refuses the key: bad signature.*\nhint: /);
      }),
    ));

  it('asked to stop as soon as it has its lock, ends in order, with what a life before it has left', () =>
    withFolder((folder) =>
      withDesk({ folder }, async (desk) => {
        const lock = join(desk.state, 'lock');
        const first = await desk.start();
        await desk.quoting();
        process.kill(first, 'SIGKILL');
        await desk.until('its end', () => !isAlive(first));
        const dead = readdirSync(lock);
        const starting = desk.background('start', '--live', '--no-certificate');
        while (readdirSync(lock).every((name) => dead.includes(name))) await sleep(1);
        starting.child.kill('SIGTERM');
        const { code, stderr } = await starting.ended;
        expect(code, stderr).toBe(0);
        expect(await desk.orders()).toEqual([]);
        // Whoever looks from the outside, as a sentinel does, takes a lock that is left for a death.
        expect(readdirSync(lock)).toEqual([]);
        expect(existsSync(join(desk.state, 'daemon.json'))).toBe(false);
      }),
    ));

  it('panics: the first cancel is on the wire in time with the daemon alive, hung and dead', () =>
    withFolder((folder) =>
      withDesk({ folder, strategies: still(folder) }, async (desk) => {
        for (const how of ['alive', 'hung', 'dead'] as const) {
          const pid = await desk.start();
          await desk.quoting();
          if (how === 'hung') process.kill(pid, 'SIGSTOP');
          if (how === 'dead') process.kill(pid, 'SIGKILL');
          const began = performance.now();
          const ended = desk.tickwright('panic', '--json');
          await desk.until('a cancel', () => desk.door.since(began, CANCEL).length > 0);
          const first = (desk.door.since(began, CANCEL)[0]?.at ?? Number.NaN) - began;
          figure(`panic to the first cancel on the wire, daemon ${how}`, first);
          expect(first).toBeLessThan(asserted(PANIC_MS));
          const { code, stdout, stderr } = await ended;
          expect(code, stderr).toBe(0);
          expect(oneDocument(stdout)).toMatchObject({ proven: true });
          expect(await desk.orders()).toEqual([]);
          expect(isAlive(pid)).toBe(false);
          // A person has looked.
          rmSync(join(desk.state, 'HALT'));
          const folderOf = join(desk.state, PAIR);
          const args = ['resume', '--journal', folderOf, '--by', 'a test', '--reason', 'seen', '--yes'];
          expect((await run(args)).code).toBe(0);
        }
      }),
    ));
});

// By itself: what a sentinel takes for hung may be an engine that others keep from its processor.
describe('a daemon with a sentinel', () => {
  it('is stopped by its sentinel when it hangs, with a proof; and left alone when it runs or has ended in order', () =>
    withFolder((folder) =>
      withDesk(
        { folder, strategies: still(folder), more: `sentinel: { hung: ${HUNG_MS}ms, dead: 2s }` },
        async (desk) => {
          const sentinel = desk.background('sentinel');
          await sentinel.said('sentinel: watching');
          const first = await desk.start();
          await desk.quoting();
          await new Promise((resolve) => setTimeout(resolve, HUNG_MS + 2_000));
          expect(isAlive(first)).toBe(true);

          const hungAt = performance.now();
          process.kill(first, 'SIGSTOP');
          await desk.until('no order', async () => (await desk.orders()).length === 0);
          const tookMs = performance.now() - hungAt;
          figure(`hang to no order at the venue, bound of ${HUNG_MS / 1_000} s`, tookMs);
          expect(tookMs).toBeLessThan(HUNG_MS + asserted(3_000));
          await sentinel.said('cancel is proven');
          expect(isAlive(first)).toBe(false);
          const proof = newestProof(desk.state);
          expect(proof).toMatchObject({ by: 'sentinel', level: 'cancel', proven: true });
          expect(proof.pairs[0]?.emptyScans).toBe(2);

          // It goes on watching: the next one dies without order.
          const second = await desk.start();
          await desk.quoting();
          process.kill(second, 'SIGKILL');
          await desk.until('no order', async () => (await desk.orders()).length === 0);
          await desk.until('a proof', () => newestProof(desk.state).reason.startsWith('dead'));
          // Then it has let go of the journal, too.
          await desk.until('its word', () => sentinel.words().split('cancel is proven').length > 2);

          await desk.start();
          await desk.quoting();
          expect((await desk.tickwright('stop', '--leave')).code).toBe(0);
          const left = await desk.orders();
          await new Promise((resolve) => setTimeout(resolve, HUNG_MS + 2_000));
          // The market may have taken them meanwhile; nobody else may.
          for (const id of left) expect(await desk.statusOf(id)).not.toBe('CANCELLED');
          expect(proofs(desk.state)).toHaveLength(2);
        },
      ),
    ));
});

// They wait more than they work.
describe.concurrent('a daemon in trouble', () => {
  it('sends nothing more to a venue that is gone than looks, tells it once, and trades again when it is back', () =>
    withFolder((folder) =>
      withDesk({ folder }, async (desk) => {
        await desk.start();
        await desk.quoting();
        const events = listen(desk.file().socket);
        const goneAt = performance.now();
        desk.door.fate = () => 'lost';
        await desk.until('an event', () => events.some(({ kind }) => kind === 'venue'));
        figure('outage to the event', performance.now() - goneAt);
        // Each order of the outage was decided before it was known, or resolves what was: none is added afterwards.
        const orders = desk.door.since(goneAt + 10_000, ORDER);
        expect(orders).toEqual([]);
        await desk.said('that', ({ problems }) =>
          expect(problems.join(' ')).toContain('no poll was answered'),
        );
        const backAt = performance.now();
        desk.door.fate = () => 'pass';
        await desk.until('SYNCED', async () => (await desk.status()).pairs[0]?.state === 'SYNCED');
        await desk.until('a new quote', () => desk.door.since(backAt, ORDER).length > 0);
        figure('venue back to the first order', performance.now() - backAt);
        // The next beat tells it, which may come after the first order.
        const told = () => events.filter(({ kind }) => kind === 'venue');
        await desk.until('the event that it is back', () => told().length > 1);
        expect(told()).toMatchObject([{ reachable: false }, { reachable: true }]);
        expect((await desk.tickwright('stop')).code).toBe(0);
      }),
    ));

  it.each([1, 3])('proves flat while 30 % of the requests fail, seed %i', (seed) =>
    withFolder((folder) =>
      withDesk({ folder }, async (desk) => {
        await desk.start();
        await desk.quoting();
        await desk.until('a position', async () => (await desk.position()) !== 0);
        const random = seeded(seed);
        const fates = ['lost', 'unanswered', 'unavailable'] as const;
        desk.door.fate = () => (random() < 0.3 ? (fates[Math.floor(random() * 3)] as 'lost') : 'pass');
        const began = performance.now();
        // How long it takes is left to chance.
        const { code, stdout, stderr } = await desk.tickwright(
          'stop',
          '--flat',
          '--within',
          '300s',
          '--json',
        );
        figure(`stop --flat under 30 % failures, seed ${seed}`, performance.now() - began);
        expect(code, `${stdout}\n${stderr}`).toBe(0);
        expect(oneDocument(stdout)).toMatchObject({ proven: true, level: 'flat' });
        expect(await desk.orders()).toEqual([]);
        expect(await desk.position()).toBe(0);
      }),
    ));

  it('cancels what a strategy left that threw while the venue took no cancel, once it takes them again', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'throwing.ts');
      const now = join(folder, 'now');
      writePackage(folder, 'due', due(now));
      writeFileSync(file, THROWING);
      await withDesk({ folder, strategies: `  - { file: ${file}, pair: ${PAIR} }` }, async (desk) => {
        await desk.start();
        await desk.quoting();
        const orders = [...(await desk.orders())].sort();
        desk.door.fate = ({ path }) => (/\/auth\//.test(path) ? 'lost' : 'pass');
        writeFileSync(now, '');
        await desk.said('what may be left', ({ pairs: [pair], problems }) => {
          expect(pair).toMatchObject({
            running: false,
            failure: expect.stringContaining('no such luck') as string,
          });
          for (const order of orders) expect(problems.join()).toContain(order);
        });
        await desk.until('the end that canceled nothing', () =>
          desk.log().includes('has left orders; their cancel is tried again'),
        );
        expect([...(await desk.orders())].sort()).toEqual(orders);
        desk.door.fate = () => 'pass';
        await desk.until('orders gone', async () => (await desk.orders()).length === 0);
        await desk.said('nothing left', ({ pairs: [pair], problems }) => {
          expect(pair).toMatchObject({ running: false, orders: [] });
          expect(problems).toEqual([expect.stringContaining('no such luck')]);
        });
        const end = await desk.tickwright('stop', '--json');
        expect(oneDocument(end.stdout)).toMatchObject({ proven: true });
      });
    }));

  it('kills itself when a strategy never comes to an end, and from then on runs without that one', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'blocking.ts');
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, BLOCKING);
      const other = 'USD_ETH_PERP';
      const strategies = `  - { file: ${join(process.cwd(), 'strategies', 'market-maker.ts')}, pair: ${PAIR} }\n  - { file: ${file}, pair: ${other} }`;
      await withDesk(
        { folder, strategies, pairs: [PAIR, other], more: 'daemon: { hang: 5s }' },
        async (desk) => {
          const first = await desk.start();
          // It is hung for some seconds only: who asks in between may come too late.
          const told = listen(desk.file().socket);
          await desk.until(
            'orders of the one that blocks',
            async () => (await desk.orders(other)).length === 2,
          );
          await desk.until('hung', () => told.some(isHung));
          await desk.until('the end', () => !isAlive(first));
          expect(desk.log()).toContain('"strategy":"blocking"');
          const blocked = join(desk.state, other, 'blocked.json');
          expect(JSON.parse(readFileSync(blocked, 'utf8'))).toMatchObject({ strategy: 'blocking' });
          expect(await desk.orders(other)).toHaveLength(2);

          await desk.start();
          await desk.quoting();
          await desk.until('its orders gone', async () => (await desk.orders(other)).length === 0);
          await desk.said('the one that hung', ({ pairs, problems }) => {
            expect(pairs).toMatchObject([
              { pair: PAIR, running: true },
              { pair: other, running: false, failure: expect.stringContaining('hung the daemon') as string },
            ]);
            expect(problems.join(' ')).toContain('the strategy is stopped');
          });

          const toldAgain = listen(desk.file().socket);
          const resumed = await desk.tickwright('resume', '--reason', 'looked at', '--yes', '--json');
          expect(oneDocument(resumed.stdout)).toMatchObject({ halt: null, resumed: true });
          expect(existsSync(blocked)).toBe(false);
          await desk.until('it runs again', () =>
            toldAgain.some(({ pairs }) => pairs?.[1]?.running === true),
          );
          await desk.until('hung once more', () => toldAgain.some(isHung));
          await desk.until('the end', () => existsSync(blocked));
        },
      );
    }));

  it('ends in order when a strategy throws where nobody can catch it, and from then on runs without that one', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'careless.ts');
      const now = join(folder, 'now');
      writePackage(folder, 'carefree', carefree(now));
      writeFileSync(file, CARELESS);
      const other = 'USD_ETH_PERP';
      const strategies = `  - { file: ${join(process.cwd(), 'strategies', 'market-maker.ts')}, pair: ${PAIR} }\n  - { file: ${file}, pair: ${other} }`;
      await withDesk({ folder, strategies, pairs: [PAIR, other] }, async (desk) => {
        const first = await desk.start();
        await desk.until('its order', async () => (await desk.orders(other)).length === 1);
        writeFileSync(now, '');
        await desk.until('the end', () => !isAlive(first));
        rmSync(now);
        expect(desk.log()).toMatch(/error: \S*careless\.ts:\d+:\d+: nobody waits for it/);
        expect(desk.log()).not.toContain('bug in tickwright');
        for (const pair of [PAIR, other]) expect(await desk.orders(pair), pair).toEqual([]);
        const blocked = JSON.parse(readFileSync(join(desk.state, other, 'blocked.json'), 'utf8')) as object;
        expect(blocked).toMatchObject({
          strategy: 'careless',
          error: expect.stringContaining('nobody waits') as string,
        });
        expect(existsSync(join(desk.state, PAIR, 'blocked.json'))).toBe(false);

        await desk.start();
        await desk.quoting();
        const failure = expect.stringMatching(
          /it threw outside of its handlers and ended the daemon at .*nobody waits for it/,
        ) as string;
        await desk.said('the one that threw', ({ pairs }) => {
          expect(pairs).toMatchObject([
            { pair: PAIR, running: true },
            { pair: other, running: false, failure },
          ]);
        });
      });
    }));

  it.skipIf(!mountsSmallDisks)(
    `cancels also when the disk is full${mountsSmallDisks ? '' : ' (a small disk cannot be mounted here)'}`,
    () =>
      withFolder(async (folder) => {
        const disk = join(folder, 'disk');
        mkdirSync(disk);
        expect(mountSmallDisk(disk, '320m')).toBe(true);
        try {
          await withDesk({ folder, strategies: still(folder), state: join(disk, 'state') }, async (desk) => {
            const pid = await desk.start();
            await desk.quoting();
            const fullAt = performance.now();
            await machine('dd', 'if=/dev/zero', `of=${join(disk, 'full')}`, 'bs=1M');
            await desk.until('no new risk', async () => (await desk.status()).problems.length > 0);
            const { code, stdout, stderr } = await desk.tickwright('panic', '--json');
            expect(desk.door.since(fullAt, CANCEL).length).toBeGreaterThan(0);
            expect(await desk.orders()).toEqual([]);
            expect(isAlive(pid)).toBe(false);
            expect(code, `${stdout}\n${stderr}`).toBe(0);
            expect(oneDocument(stdout)).toMatchObject({ proven: true });
          });
        } finally {
          unmountSmallDisk(disk);
        }
      }),
  );
});

function still(folder: string): string {
  const file = join(folder, 'still.ts');
  writeFileSync(file, STILL);
  return `  - { file: ${file}, pair: ${PAIR} }`;
}

function proofs(state: string): readonly string[] {
  const folder = join(state, 'proofs');
  if (!existsSync(folder)) return [];
  // One that is being written has a name with a dot before it.
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort();
}

function newestProof(state: string): StopProof {
  const name = proofs(state).at(-1);
  if (name === undefined) throw new Error('there must be a proof, received none');
  return JSON.parse(readFileSync(join(state, 'proofs', name), 'utf8')) as StopProof;
}

/** An event, or a status, which has no kind. */
interface Told {
  readonly kind?: string;
  readonly state?: string;
  readonly pairs?: readonly { readonly running: boolean }[];
}

const isHung = ({ kind, state }: Told): boolean => kind === undefined && state === 'hung';

/** What the daemon tells from now on, as it comes. */
function listen(socketPath: string): readonly Told[] {
  const events: Told[] = [];
  let text = '';
  const call = request(
    { socketPath, path: '/api/events', headers: { accept: 'text/event-stream' } },
    (answer) => {
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const data = /^data: ?(.*)$/m.exec(block)?.[1];
          if (data !== undefined) events.push(JSON.parse(data) as Told);
        }
      });
    },
  );
  call.on('error', () => undefined);
  call.end();
  return events;
}
