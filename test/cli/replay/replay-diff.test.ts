/** A recorded live session, executed again with other parameters on what it saw and what was filled. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replay } from '../../../src/cli/commands/replay.js';
import { diffBlackBox } from '../../../src/cli/replay/replay-diff.js';
import type { SessionEnd } from '../../../src/cli/session/running-session.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { diffJson, diffText } from '../../../src/cli/view/replay-diff-view.js';
import { httpSession } from '../../support/http-session.js';

const machine = thisMachine();
let folder: string;
let end: SessionEnd;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickwright-diff-'));
  const strategy = join(folder, 'maker.ts');
  await cp('strategies/market-maker.ts', strategy);
  end = await httpSession({
    folder: join(folder, 'bot'),
    forMs: 4_000,
    least: { polls: 60, orders: 5 },
    strategy,
    pollMs: 50,
  });
});
afterAll(() => rm(folder, { recursive: true }));

describe('a recorded session with other parameters', () => {
  it('decides the same where they are the same', async () => {
    const diff = await diffBlackBox(machine, end.capture, { set: {} });
    expect(diff).toMatchObject({ differing: 0, differences: [], notReproduced: undefined, params: [] });
    expect(diff.inputs).toBe(end.counts.inputs);
    expect(diff.changed).toEqual(diff.unchanged);
    const { orders, cancels, refusals } = end.counts;
    expect(diff.recorded).toMatchObject({ orders, cancels, refusals });
    expect(diff.recorded.orders).toBeGreaterThan(3);
    expect(diffText(diff)).toContain(`the same decisions on all ${diff.inputs} inputs`);
  });

  it('says what it would have ordered instead, where first, and what cannot be said', async () => {
    const set = { quantity: '0.02' };
    const diff = await diffBlackBox(machine, end.capture, { set });
    expect(diff.differing).toBeGreaterThan(0);
    expect(diff.differences[0]?.unchanged.places[0]?.lots).not.toBe(
      diff.differences[0]?.changed.places[0]?.lots,
    );
    expect(diff.changed.buys).toBeGreaterThan(diff.unchanged.buys);
    const json = diffJson(diff);
    expect(json).toMatchObject({
      inputs: diff.inputs,
      differing: diff.differing,
      params: [{ name: 'quantity', recorded: '0.01', changed: '0.02' }],
      recorded: { orders: end.counts.orders },
      unchanged: { orders: diff.unchanged.orders },
      firstDifference: { input: diff.differences[0]?.input },
      note: expect.stringContaining('Fills are those that were recorded'),
      end: 'orderly',
    });
    expect(diffText(diff)).toMatch(/^tw-[0-9a-f]+ with quantity 0\.01 -> 0\.02\n/);
    expect(diffText(diff)).toContain('they do not react to other orders');
  });

  it('names the strategy that would have run instead, and which parameters only one of the two has', async () => {
    const diff = await diffBlackBox(machine, end.capture, { set: {}, file: 'strategies/sma-cross.ts' });
    const [headline = ''] = diffText(diff).split('\n');
    expect(headline).toMatch(
      /^tw-[0-9a-f]+ with strategy market-maker [0-9a-f]{12} -> sma-cross [0-9a-f]{12}, .*average 20 -> none, /,
    );
    expect(headline).toContain(', fast none -> 10');
    const json = JSON.parse(JSON.stringify(diffJson(diff))) as Record<string, unknown>;
    expect(json).toMatchObject({ strategy: 'market-maker', changedStrategy: 'sma-cross' });
    expect(json['params']).toContainEqual({ name: 'fast', changed: '10' });

    const same = await diffBlackBox(machine, end.capture, { set: {}, file: join(folder, 'maker.ts') });
    expect(diffText(same)).toMatch(/^tw-[0-9a-f]+ with the same strategy, market-maker [0-9a-f]{12}\n/);
  });

  it('leaves to the other strategy what the session left to defaults, as the swap does', async () => {
    const other = join(folder, 'narrower.ts');
    const text = await readFile('strategies/market-maker.ts', 'utf8');
    const narrower = text.replace('requote: number({ default: 0.25,', 'requote: number({ default: 0.5,');
    expect(narrower).not.toBe(text);
    await writeFile(other, narrower);
    const diff = await diffBlackBox(machine, end.capture, { set: {}, file: other });
    expect(diff.params).toEqual([{ name: 'requote', recorded: '0.25', changed: '0.5' }]);
  });

  it('names what the other strategy throws, also where it cannot even be made', async () => {
    const broken = join(folder, 'broken.ts');
    const of = (create: string) =>
      writeFile(
        broken,
        `import { defineStrategy } from 'tickwright';\n` +
          `export default defineStrategy({ name: 'broken', params: {}, create() { ${create} } });\n`,
      );
    for (const create of [
      `throw new Error('it is broken');`,
      `return { onTrade() { throw new Error('it is broken'); } };`,
    ]) {
      await of(create);
      await expect(diffBlackBox(machine, end.capture, { set: {}, file: broken })).rejects.toThrow(
        /broken\.ts:2:\d+: it is broken/,
      );
    }
  });

  it('compares as far as the strategy that ran came where that throws, so that another one can take its place', async () => {
    const ran = join(folder, 'maker.ts');
    const text = await readFile(ran, 'utf8');
    const throwing = text.replace(
      'onTrade({ price }) {',
      "onTrade({ price, id }) {\n        if (Number(id) % 50 === 0) throw new Error('boom');",
    );
    expect(throwing).not.toBe(text);
    await writeFile(ran, throwing);
    try {
      const diff = await diffBlackBox(machine, end.capture, { set: {}, file: 'strategies/market-maker.ts' });
      expect(diff.inputs).toBeGreaterThan(0);
      expect(diff.inputs).toBeLessThan(end.counts.inputs);
      expect(diff.differing).toBe(0);
      // What was recorded is counted whole, whatever became of the strategy's file.
      expect(diff.notReproduced).toContain('is no longer what the session ran');
      const { orders, cancels, refusals } = end.counts;
      expect(diff.recorded).toMatchObject({ orders, cancels, refusals });
    } finally {
      await writeFile(ran, text);
    }
  });

  it('refuses a parameter that the strategy does not have, and half of the two options', async () => {
    await expect(diffBlackBox(machine, end.capture, { set: { sise: '1' } })).rejects.toThrow(/sise/);
    await expect(replay(end.capture, { set: { size: '1' } })).rejects.toThrow(
      '--set and --diff must go together, received --set alone',
    );
    await expect(replay(end.capture, { diff: true })).rejects.toThrow('received --diff alone');
    await expect(replay(end.capture, { diff: true, set: { size: '1' }, until: 3 })).rejects.toThrow(
      '--until must be left out where --diff compares a whole session, received 3',
    );
  });
});
