import { describe, expect, it } from 'vitest';
import { clearBlocked, readBlocked, writeBlocked } from '../../src/daemon/blocked-file.js';
import { Heartbeat } from '../../src/daemon/control/heartbeat.js';
import { lastWords } from '../../src/daemon/control/last-words.js';
import { idleStrategy, markedStrategy } from '../../src/daemon/marked-strategy.js';
import type { Files } from '../../src/ports/files.js';
import { type StrategyContext } from '../../src/strategy/context.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { MemoryFiles } from '../support/memory-files.js';
import { VirtualTime } from '../support/virtual-time.js';

const CONTEXT = {} as StrategyContext;
const STRATEGIES = [
  { name: 'good', sha256: 'aa', folder: '/state/A' },
  { name: 'bad', sha256: 'bb', folder: '/state/B' },
];

describe('the heart', () => {
  it('shows another thread whose code runs, and for how long it has been silent', () => {
    let now = 5;
    const here = new Heartbeat(() => now);
    const there = new Heartbeat(() => now, here.shared);
    expect(there.atWork).toBeUndefined();
    here.enter(0);
    expect(there.atWork).toBe(0);
    here.leave();
    expect(there.atWork).toBeUndefined();
    now = 25;
    expect(there.ageMs).toBe(20);
    here.beat();
    expect(there.ageMs).toBe(0);
  });
});

describe('a marked strategy', () => {
  const marks: string[] = [];
  const mark = { enter: () => void marks.push('in'), leave: () => void marks.push('out') };
  const trade = { id: '1', time: 1, price: 1, quantity: 1, isBuyerMaker: false };

  it('is marked while it starts and while it handles, thrown or not, and answers the same', () => {
    const definition = defineStrategy({
      name: 'scripted',
      create: () => {
        marks.push('create');
        return {
          onTrade: ({ price }) => {
            marks.push('trade');
            if (price > 1) throw new Error('too much');
          },
        };
      },
    });
    const handlers = markedStrategy(bindStrategy(definition), mark).start(CONTEXT);
    expect(Object.keys(handlers)).toEqual(['onTrade']);
    expect(handlers.onTrade?.(trade)).toBeUndefined();
    expect(() => handlers.onTrade?.({ ...trade, price: 2 })).toThrow('too much');
    expect(marks).toEqual(['in', 'create', 'out', 'in', 'trade', 'out', 'in', 'trade', 'out']);
  });

  it('that must not run is replaced by one that runs nothing of it', () => {
    const definition = defineStrategy({
      name: 'scripted',
      create: () => {
        throw new Error('it runs');
      },
    });
    expect(idleStrategy(bindStrategy(definition)).start(CONTEXT)).toEqual({});
  });
});

describe('the last words about a hung engine', () => {
  function die(atWork: number | undefined, files: Files = new MemoryFiles()) {
    const time = new VirtualTime();
    const killed: string[] = [];
    const say = lastWords({
      heartbeat: { atWork },
      strategies: STRATEGIES,
      files,
      wall: () => 7,
      timers: time.timers,
      kill: (words) => void killed.push(words),
    });
    return { say, killed, time, files };
  }

  it('name the strategy whose code ran, note it in its folder, and come once', async () => {
    const { say, killed, time, files } = die(1);
    say(31_000.4);
    say(32_000);
    await time.advance(2_000);
    expect(killed.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ level: 'fatal', strategy: 'bad', silentMs: 31_000 }),
    ]);
    expect(await readBlocked(files, '/state/B', 'bb')).toEqual({
      formatVersion: 1,
      strategy: 'bad',
      sha256: 'bb',
      at: 7,
      silentMs: 31_000,
    });
    expect(await readBlocked(files, '/state/A', 'aa')).toBeUndefined();
  });

  it('accuse nobody when no strategy was at work', async () => {
    const { say, killed, time, files } = die(undefined);
    say(31_000);
    await time.advance(2_000);
    expect(killed).toHaveLength(1);
    expect(killed[0]).not.toContain('strategy');
    expect(await readBlocked(files, '/state/B', 'bb')).toBeUndefined();
  });

  it('wait five seconds for a disk that hangs too, and no longer', async () => {
    const files = new MemoryFiles();
    const never = new Promise<never>(() => undefined);
    files.makeDirectory = () => never;
    const { say, killed, time } = die(0, files);
    say(31_000);
    await time.advance(4_999);
    expect(killed).toEqual([]);
    await time.advance(1);
    expect(killed[0]).toContain('cannot be written down');
  });
});

describe('a strategy that blocked', () => {
  it('is kept from starting until its code is another one, or somebody clears it', async () => {
    const files = new MemoryFiles();
    await writeBlocked(files, '/state/A', {
      formatVersion: 1,
      strategy: 'good',
      sha256: 'aa',
      at: 1,
      silentMs: 30_000,
    });
    expect(await readBlocked(files, '/state/A', 'aa')).toBeDefined();
    expect(await readBlocked(files, '/state/A', 'ab')).toBeUndefined();
    expect(await clearBlocked(files, '/state/A')).toBe(true);
    expect(await readBlocked(files, '/state/A', 'aa')).toBeUndefined();
    expect(await clearBlocked(files, '/state/A')).toBe(false);
  });
});
