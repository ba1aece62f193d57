import { expect, it } from 'vitest';
import { hangNote } from '../../../src/cli/hang-note/hang-note.js';

function noted(isLive: boolean) {
  const said: string[] = [];
  const clock = { now: 100_000 };
  const options = { strategy: 'spin', isLive, pid: 17, key: 'Ctrl-\\', now: () => clock.now };
  return { said, clock, note: hangNote({ ...options, say: (text) => said.push(text) }) };
}

it('a silence is told once, with what ends the process', () => {
  const { said, clock, note } = noted(false);
  note(6_010);
  clock.now += 1_000;
  note(7_012);
  expect(said).toEqual([
    'spin has not returned for 6 s, and nothing else happens until it does, not even at Ctrl-C: ' +
      'Ctrl-\\, or kill -9 17, ends the process at once',
  ]);
});

it('the next silence is told again', () => {
  const { said, clock, note } = noted(false);
  note(6_000);
  clock.now += 20_000;
  note(5_100);
  expect(said.map((text) => / for \d+ s/.exec(text)?.[0])).toEqual([' for 6 s', ' for 5 s']);
});

it('a live session is told that its orders stay', () => {
  const { said, note } = noted(true);
  note(6_000);
  expect(said[0]).toMatch(/ends the process at once; its orders stay at the venue then$/);
});
