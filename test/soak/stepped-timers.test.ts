import { describe, expect, it } from 'vitest';
import { SteppedTimers } from './stepped-timers.js';

const later = () => new Promise((resolve) => setImmediate(resolve));

describe('a virtual clock in steps', () => {
  it('fires at the first step that is not too early, each task with its promises before the next', async () => {
    const timers = new SteppedTimers({ stepMs: 20 });
    const said: string[] = [];
    const say = (name: string) => () => {
      said.push(`${name} at ${timers.now}`);
      void Promise.resolve().then(() => said.push(`${name}'s promise`));
    };
    timers.after(25, say('a'));
    timers.after(40, say('b'));
    timers.after(41, say('c'));
    timers.after(30, say('never'))();
    expect(timers.waiting).toBe(3);
    await timers.runUntil(50);
    expect(said).toEqual(['a at 40', "a's promise", 'b at 40', "b's promise"]);
    expect([timers.now, timers.waiting]).toEqual([50, 1]);
    await timers.runUntil(60);
    expect(said.slice(4)).toEqual(['c at 60', "c's promise"]);
  });

  it('stands still while anything can still happen: later turns, work outside, and what is asked for otherwise', async () => {
    const said: string[] = [];
    let asked = 0;
    const timers: SteppedTimers = new SteppedTimers({
      stepMs: 10,
      otherwise() {
        if (asked === 0) return false;
        asked--;
        timers.soon(() => said.push(`answered at ${timers.now}`));
        return true;
      },
    });
    timers.after(10, () => {
      timers.soon(() => said.push(`soon at ${timers.now}`));
      timers.during(later().then(() => said.push(`read at ${timers.now}`)));
      asked = 1;
    });
    timers.after(20, () => said.push(`next at ${timers.now}`));
    await timers.runUntil(100);
    expect(said).toEqual(['soon at 10', 'read at 10', 'answered at 10', 'next at 20']);
    expect(timers.waiting).toBe(0);
  });

  it('fires quiet timers at their own time', async () => {
    const timers = new SteppedTimers({ stepMs: 1_000 });
    const at: number[] = [];
    timers.quietly(100, () => at.push(timers.now));
    timers.quietly(150, () => at.push(timers.now))();
    await timers.runUntil(500);
    expect([at, timers.waiting]).toEqual([[100], 0]);
  });
});
