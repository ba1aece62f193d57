import { expect, it } from 'vitest';
import { SlowTrials } from '../../../src/cli/optimize/slow-trials.js';
import { VirtualTime } from '../../support/virtual-time.js';

function watched() {
  const time = new VirtualTime();
  const said: string[] = [];
  const slow = new SlowTrials({ clock: time.clock, timers: time.timers, say: (text) => said.push(text) });
  /** One that is over after so long. */
  const trial = async (ms: number) => {
    const over = slow.begin({ level: '1' });
    await time.advance(ms);
    over();
  };
  return { time, said, slow, trial };
}

it('a trial that takes ten times as long as the longest is told once, by its parameters and by what ends it', async () => {
  const { time, said, slow, trial } = watched();
  await trial(500);
  await trial(2_000);
  slow.begin({ level: '2', bars: '5s' });
  await time.advance(20_000);
  expect(said).toEqual([]);
  await time.advance(60_000);
  expect(said).toEqual([
    'the trial with level=2 bars=5s has not come to its end for 21 s, where no other took more than 2.0 s: ' +
      'if the strategy does not return, the search waits for ever; Ctrl-C ends it',
  ]);
});

it('where others take no time, ten seconds are not long yet; with no other, half a minute', async () => {
  const { time, said, slow, trial } = watched();
  const over = slow.begin({ level: '2' });
  await time.advance(30_000);
  expect(said).toEqual([]);
  await time.advance(1_000);
  expect(said).toHaveLength(1);
  expect(said[0]).toContain('level=2 has not come to its end for 31 s, and no other has either:');
  over();
  const quick = watched();
  await quick.trial(1);
  quick.slow.begin({ level: '3' });
  await quick.time.advance(10_000);
  expect(quick.said).toEqual([]);
  await quick.time.advance(1_000);
  expect(quick.said[0]).toContain('where no other took more than 0.0 s');
  // What was slow and ended is what others are held against.
  await trial(300_000);
  expect(said).toHaveLength(1);
});

it('each trial is told, and none after the end', async () => {
  const { time, said, slow, trial } = watched();
  await trial(100);
  slow.begin({ level: '2' });
  slow.begin({ level: '3' });
  await time.advance(11_500);
  expect(said.map((text) => /level=\d/.exec(text)?.[0])).toEqual(['level=2', 'level=3']);
  slow.begin({ level: '4' });
  slow.stop();
  await time.advance(100_000);
  expect(said).toHaveLength(2);
  expect(time.pending).toBe(0);
});
