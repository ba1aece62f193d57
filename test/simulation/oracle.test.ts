import { expect, test } from 'vitest';
import type { Lots } from '../../src/model/grid.js';
import { ALL_INVARIANTS } from '../../src/simulation/invariant.js';
import type { InvariantName } from '../../src/simulation/invariant-name.js';
import { runPlan } from '../../src/simulation/run-plan.js';
import type { SwarmPlan } from '../../src/simulation/swarm-plan.js';
import { drain } from './drain.js';
import { calmPlan } from './plans.js';
import { scripted, type ScriptedBot } from './scripted-subject.js';

const FAR_BID = 500_000;

interface Wrong {
  readonly invariant: InvariantName;
  readonly how: string;
  readonly script: (bot: ScriptedBot) => Promise<void>;
  readonly afterwards?: 'keeps in step' | 'stands still';
  readonly plan?: Partial<SwarmPlan>;
  /** Others that the same deed breaks first. */
  readonly before?: readonly InvariantName[];
}

/** One program for each way of breaking an invariant; all else they do right. */
const WRONGS: readonly Wrong[] = [
  {
    invariant: 'I1',
    how: 'sends an intent again',
    async script(bot) {
      await bot.order('a', 1, { ticks: FAR_BID });
      await bot.order('a', 1, { ticks: FAR_BID });
    },
  },
  {
    invariant: 'I2',
    how: 'has two orders for one intent',
    async script(bot) {
      await bot.order('a', 1, { ticks: FAR_BID });
      await bot.order('a', 1, { ticks: FAR_BID + 10 });
    },
    before: ['I1'],
  },
  {
    invariant: 'I3',
    how: 'sends before it writes',
    async script(bot) {
      bot.writesAhead = false;
      await bot.order('a', 1, { ticks: FAR_BID });
    },
  },
  {
    invariant: 'I4',
    how: 'forgets an order',
    async script(bot) {
      const id = await bot.order('a', 1, { ticks: FAR_BID });
      bot.boundOrders.delete(id);
    },
  },
  {
    invariant: 'I4',
    how: "takes an order for another intent's",
    async script(bot) {
      const id = await bot.order('a', 1, { ticks: FAR_BID });
      bot.boundOrders.set(id, 'b');
    },
  },
  {
    invariant: 'I5',
    how: 'adds risk while it is not SYNCED',
    async script(bot) {
      bot.state = 'SUSPECT';
      await bot.order('a', 1, { ticks: FAR_BID });
    },
  },
  {
    invariant: 'I5',
    how: 'says SYNCED of a position that the venue never had',
    async script(bot) {
      bot.cut = { number: 99, position: 7 as Lots };
      await bot.pause(5_000);
    },
  },
  {
    invariant: 'I5',
    how: 'says SYNCED and looks no more',
    script: () => Promise.resolve(),
    afterwards: 'stands still',
  },
  {
    invariant: 'I6',
    how: 'judges an order not placed that is there',
    async script(bot) {
      await bot.order('a', 1, { ticks: FAR_BID });
      bot.judged.set('a', 'not-placed');
    },
  },
  {
    invariant: 'I6',
    how: 'judges an order not placed before it comes',
    async script(bot) {
      bot.judged.set('a', 'not-placed');
      await bot.pause(2_000);
      await bot.order('a', 1, { ticks: FAR_BID });
    },
  },
  {
    invariant: 'I7',
    how: 'counts a fill twice',
    before: ['I5'],
    async script(bot) {
      await bot.order('a', 2);
      const sync = bot.sync.bind(bot);
      // Its cuts are right, what it holds for its position is not.
      bot.sync = async () => {
        await sync();
        bot.position += 2;
      };
    },
  },
  {
    invariant: 'I7',
    how: 'counts a fill twice after a halt',
    async script(bot) {
      await bot.order('a', 2);
      bot.isHalted = true;
      const sync = bot.sync.bind(bot);
      bot.sync = async () => {
        await sync();
        bot.state = 'HALTED';
        bot.position += 2;
      };
      await bot.sync();
    },
  },
  {
    invariant: 'I8',
    how: 'holds more than it may',
    async script(bot) {
      await bot.order('a', 41);
    },
  },
  {
    invariant: 'I8',
    how: 'has orders that lead beyond the limit, though each does not',
    async script(bot) {
      await bot.order('a', 30, { ticks: FAR_BID });
      await bot.order('b', 30, { ticks: FAR_BID });
    },
  },
  {
    invariant: 'I9',
    how: 'adds risk after a halt',
    async script(bot) {
      bot.isHalted = true;
      await bot.pause(2_000);
      bot.isHalted = false;
      await bot.order('a', 1, { ticks: FAR_BID });
    },
  },
  {
    invariant: 'I9',
    how: 'is SYNCED though somebody else has traded',
    script: () => Promise.resolve(),
    plan: { incidents: [{ kind: 'external-order', atMs: 60_000, lots: 3 as Lots }] },
  },
  {
    invariant: 'I10',
    how: 'stays suspicious for ever',
    async script(bot) {
      bot.sync = async () => {
        bot.state = 'SUSPECT';
      };
      await bot.sync();
    },
  },
  {
    invariant: 'I11',
    how: 'orders on old data',
    async script(bot) {
      const { pair } = bot.config.market;
      for (let i = 0; i < 30; i++) {
        await bot.pause(1_000);
        const { size } = await bot.api.position(pair);
        bot.cut = { number: bot.cut.number + 1, position: size as Lots };
      }
      await bot.order('a', 1, { ticks: FAR_BID });
    },
  },
];

test.each(WRONGS)('$invariant is seen to be broken by a program that $how', async (wrong) => {
  const { invariant, script, afterwards, plan, before = [] } = wrong;
  const subject = scripted(script, afterwards);
  const { violations } = await runPlan(calmPlan(3, plan), { subject, drain, goOn: true });
  const names = violations.map((each) => each.invariant);
  expect(names).toContain(invariant);
  for (const name of names.slice(0, names.indexOf(invariant))) expect(before).toContain(name);
  const [first] = violations;
  expect(first?.what).not.toBe('');
  expect(first?.tail.length).toBeGreaterThan(5);
});

test('every invariant has a program that breaks it', () => {
  expect(new Set(WRONGS.map(({ invariant }) => invariant))).toEqual(ALL_INVARIANTS);
});

test('a program that does nothing wrong breaks none, though it trades, rests, reduces and cancels', async () => {
  const subject = scripted(async (bot) => {
    await bot.order('a', 30);
    await bot.sync();
    const resting = await bot.order('b', 10, { ticks: FAR_BID });
    await bot.pause(3_000);
    await bot.api.cancel(resting);
    await bot.sync();
    bot.state = 'SUSPECT';
    await bot.order('c', -30, { reduceOnly: true });
    await bot.sync();
    await bot.order('d', -40);
  });
  const { violations, counts } = await runPlan(calmPlan(3), { subject, drain, goOn: true });
  expect(violations).toEqual([]);
  expect(counts).toMatchObject({ intents: 4, writes: 4, orders: 4, duplicates: 0, orphans: 0, worst: 1 });
});

test('an order that nobody knows is counted, but not one of the last moment, whose answer is on its way', async () => {
  const plan = calmPlan(3);
  const orphansOf = async (placedAt: number) => {
    const subject = scripted(async (bot) => {
      await bot.pause(placedAt);
      bot.state = 'SUSPECT';
      bot.boundOrders.delete(await bot.order('a', 1, { ticks: FAR_BID, reduceOnly: true }));
    });
    return (await runPlan(plan, { subject, drain, goOn: true })).counts.orphans;
  };
  expect(await orphansOf(10_000)).toBe(1);
  expect(await orphansOf(plan.faultyMs + plan.calmMs - 5_000)).toBe(0);
});

test.each([
  ['is not seen to be one', 3, { echo: false }, []],
  ['is one where tags tell', 3, { echo: true }, ['I9']],
  ['is one of another size', 4, { echo: false }, ['I9']],
])('a visitor whose order is what a lost one of ours asked for %s', async (_, lots, traits, broken) => {
  const lost = { name: 'lost', place: { paths: ['/auth/order'] }, when: { index: [1] } } as const;
  const plan = calmPlan(3, {
    faults: { seed: 1, rules: [{ ...lost, effect: { kind: 'lost-request' } }] },
    incidents: [{ kind: 'external-order', atMs: 60_000, lots: lots as Lots }],
  });
  const subject = scripted(async (bot) => {
    await bot.order('a', 3).catch(() => undefined);
    await bot.sync();
  });
  const { violations } = await runPlan(
    { ...plan, traits: { ...plan.traits, ...traits } },
    { subject, drain, goOn: true },
  );
  expect(violations.map(({ invariant }) => invariant)).toEqual(broken);
});

test('it stops at the first violation, unless it is to go on', async () => {
  const subject = scripted(async (bot) => {
    bot.writesAhead = false;
    await bot.order('a', 1, { ticks: FAR_BID });
  });
  const plan = calmPlan(3);
  const run = await runPlan(plan, { subject, drain });
  expect(run.violations.map(({ invariant }) => invariant)).toEqual(['I3']);
  expect(run.ranMs).toBeLessThan(5_000);
  const whole = await runPlan(plan, { subject, drain, goOn: true });
  expect(whole.ranMs).toBe(plan.faultyMs + plan.calmMs);
});

test('a secret is found in a log line and in a file', async () => {
  const subject = scripted(async ({ ports, config }) => {
    const { apiKey, apiSecret } = config.credentials;
    ports.log.info('hello', { nested: { list: [`key=${apiKey}`] } });
    await ports.files.writeAtomic(`${config.directory}/notes`, `about ${apiSecret}`);
  });
  expect((await runPlan(calmPlan(1), { subject, drain })).secrets).toBe(2);
  const discreet = scripted(() => Promise.resolve());
  expect((await runPlan(calmPlan(1), { subject: discreet, drain })).secrets).toBe(0);
});
