import { describe, expect, it } from 'vitest';
import type { DaemonState } from '../../../src/daemon/daemon-api.js';
import { type Board, emptyBoard, type Link } from '../../../src/daemon/dashboard/board.js';
import {
  ageNow,
  happeningText,
  STALE_MS,
  standingOf,
  titleOf,
} from '../../../src/daemon/dashboard/standing.js';
import { statusFacts } from './facts.js';

const link = (state: Link['state'], reason = ''): Link => ({ state, reason, at: 0, nextAt: undefined });
const board = (given: Partial<Board> = {}): Board => ({
  ...emptyBoard(0),
  link: link('open'),
  status: statusFacts(),
  factsAt: 10_000,
  ...given,
});

describe('what is shown', () => {
  it('is of now for three seconds, and not a moment longer', () => {
    expect(standingOf(board(), 10_000 + STALE_MS)).toMatchObject({ isFresh: true, alarm: undefined });
    expect(standingOf(board(), 10_000 + STALE_MS + 1)).toMatchObject({
      light: 'lost',
      state: 'no contact',
      isFresh: false,
      alarm: { title: 'No news from the daemon' },
    });
  });

  it('does not become fresh by a stream that opens without facts', () => {
    expect(standingOf(board({ link: link('open') }), 60_000).isFresh).toBe(false);
  });

  it('is old from the first moment on when its engine hangs', () => {
    const hung = board({ status: statusFacts({ state: 'hung', mode: 'live' }) });
    expect(standingOf(hung, 10_001)).toMatchObject({
      light: 'hung',
      mode: 'LIVE',
      isFresh: false,
      alarm: { title: 'The engine hangs' },
    });
  });

  it('asks for a new link when the session is over, however new the facts are', () => {
    const over = standingOf(board({ link: link('over', 'a token is needed') }), 10_001);
    expect(over).toMatchObject({ isFresh: false, state: 'signed out' });
    expect(over.alarm?.text).toContain('tickwright open');
  });

  it('is nothing before there are facts, and that is no alarm unless nobody answers', () => {
    const nothing = { status: undefined, factsAt: undefined };
    expect(standingOf(board({ ...nothing, link: link('connecting') }), 5)).toMatchObject({
      light: 'waiting',
      alarm: undefined,
      isFresh: false,
    });
    expect(standingOf(board({ ...nothing, link: link('lost', 'gone') }), 5)).toMatchObject({
      light: 'lost',
      alarm: { title: 'The daemon does not answer' },
    });
  });

  it.each<[DaemonState, 'paper' | 'live', string]>([
    ['running', 'paper', 'paper'],
    ['running', 'live', 'live'],
    ['paused', 'live', 'paused'],
    ['halted', 'paper', 'halted'],
    ['hung', 'paper', 'hung'],
    ['starting', 'live', 'waiting'],
    ['stopping', 'live', 'waiting'],
    ['unknown', 'live', 'lost'],
  ])('has for %s in %s mode the colour of %s', (state, mode, light) => {
    expect(standingOf(board({ status: statusFacts({ state, mode }) }), 10_001).light).toBe(light);
  });

  it('is in the title of the tab, with a warning when it is old', () => {
    const live = board({ status: statusFacts({ mode: 'live' }) });
    expect(titleOf(standingOf(live, 10_500))).toBe('LIVE running · tickwright');
    expect(titleOf(standingOf(live, 30_000))).toBe('⚠ LIVE no contact · tickwright');
  });

  it('has ages that go on', () => {
    expect(ageNow(200, standingOf(board(), 10_900))).toBe('1.1 s');
    expect(ageNow(200, standingOf(board(), 70_000))).toBe('1 min 0 s');
    expect(ageNow(undefined, standingOf(board(), 70_000))).toBe('never');
  });
});

it('words of a change of state name who, what and why', () => {
  expect(
    happeningText({ kind: 'halt', time: 1, halt: { level: 'cancel', reason: 'a test', by: 'anna' } }),
  ).toBe('Halted (cancel) by anna: a test');
  expect(happeningText({ kind: 'venue', time: 1, reachable: false, reason: 'no answer' })).toBe(
    'The venue does not answer: no answer',
  );
  expect(
    happeningText({
      kind: 'pair-state',
      time: 1,
      pair: '\u202eP',
      state: 'SUSPECT',
      permission: 'reduce-only',
      reason: 'r'.repeat(9_999),
    }),
  ).toMatch(/^ P is SUSPECT: r{240}… \(9999 characters\)$/);
});
