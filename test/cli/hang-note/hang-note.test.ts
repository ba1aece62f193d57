import { expect, it } from 'vitest';
import { hangNote, type HangNoteOptions } from '../../../src/cli/hang-note/hang-note.js';

function noted(more: Partial<HangNoteOptions> = {}) {
  const said: string[] = [];
  const killed: string[] = [];
  const clock = { now: 100_000 };
  const note = hangNote({
    strategy: 'spin',
    isLive: false,
    pid: 17,
    key: 'Ctrl-\\',
    hears: true,
    now: () => clock.now,
    say: (text) => said.push(text),
    kill: (text) => killed.push(text),
    ...more,
  });
  /** Silent since 100 000 from then on, looked at once a second. */
  const looks = (until: number) => {
    for (; clock.now < until; clock.now += 1_000) note.silent(clock.now - 94_000);
  };
  return { said, killed, clock, note, looks };
}

it('a silence is told once, with what ends the process', () => {
  const { said, killed, looks } = noted();
  looks(200_000);
  expect(said).toEqual([
    'spin has not returned for 6 s, and nothing else happens until it does; 10 s after Ctrl-C the process is killed: ' +
      'Ctrl-\\, or kill -9 17, ends the process at once',
  ]);
  expect(killed).toEqual([]);
});

it('where nothing tells of Ctrl-C, nothing is promised of it', () => {
  const { said, note } = noted({ hears: false });
  note.silent(6_000);
  expect(said[0]).toMatch(/until it does, not even at Ctrl-C: Ctrl-\\, or kill -9 17/);
});

it('the next silence is told again', () => {
  const { said, clock, note } = noted();
  note.silent(6_000);
  clock.now += 20_000;
  note.silent(5_100);
  expect(said.map((text) => / for \d+ s/.exec(text)?.[0])).toEqual([' for 6 s', ' for 5 s']);
});

it('a live session is told that its orders may stay, and what cancels them', () => {
  const { said, note } = noted({ isLive: true });
  note.silent(6_000);
  expect(said[0]).toMatch(
    /at once; its orders may stay at the venue then: tickwright cancel --all, .* cancels them$/,
  );
});

it('asked to stop, it is given ten seconds, says so once, and is killed', () => {
  const { said, killed, note, looks } = noted({ isLive: true });
  looks(103_000);
  note.asked();
  looks(113_000);
  expect(said.slice(1)).toEqual(['spin is to end and has not returned: the process is ended in 10 s']);
  expect(killed).toEqual([]);
  // Once more changes nothing.
  note.asked();
  looks(114_000);
  expect(killed).toHaveLength(1);
  expect(killed[0]).toMatch(
    /^spin has not returned for 19 s: the process is killed; its orders may stay .*cancel/,
  );
});

it('the end of its time counts as being asked', () => {
  const { killed, looks } = noted({ endsAt: 104_000 });
  looks(114_000);
  expect(killed).toEqual([]);
  looks(115_000);
  expect(killed).toHaveLength(1);
});

it('the ten seconds begin with the silence: an orderly stop that takes its time is no hang', () => {
  const { killed, clock, note } = noted();
  note.asked();
  clock.now += 60_000;
  note.silent(6_000);
  expect(killed).toEqual([]);
});
