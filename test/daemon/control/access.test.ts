import { beforeEach, describe, expect, it } from 'vitest';
import { Access } from '../../../src/daemon/control/access.js';

const READ = 'r'.repeat(43);
const CONTROL = 'c'.repeat(43);
let now: number;
let guessed: number[];
let access: Access;

beforeEach(() => {
  now = 0;
  guessed = [];
  let randoms = 0;
  access = new Access({
    readToken: READ,
    controlToken: CONTROL,
    random: () => `random ${randoms++}`,
    now: () => now,
    onGuessing: (wrong) => guessed.push(wrong),
  });
});

describe('a link', () => {
  it('works once', () => {
    const code = access.link('read');
    expect(access.open(code)).toBeDefined();
    expect(access.open(code)).toBeUndefined();
  });

  it('works for a minute, and no longer', () => {
    const [early, late] = [access.link('read'), access.link('control')];
    now = 60_000;
    expect(access.session(access.open(early) ?? '')?.scope).toBe('read');
    now = 60_001;
    expect(access.open(late)).toBeUndefined();
  });

  it('opens a session of its own right, which ends after twelve hours', () => {
    const cookie = access.open(access.link('control')) ?? '';
    expect(access.session(cookie)?.scope).toBe('control');
    now = 12 * 3_600_000;
    expect(access.session(cookie)).toBeDefined();
    now++;
    expect(access.session(cookie)).toBeUndefined();
  });

  it('is one of sixteen that are known, and so is a session', () => {
    const [oldest, ...codes] = Array.from({ length: 17 }, () => access.link('read'));
    expect(access.open(oldest ?? '')).toBeUndefined();
    const cookies = codes.map((code) => access.open(code) ?? '');
    expect(cookies.every((cookie) => access.session(cookie) !== undefined)).toBe(true);
    access.open(access.link('read'));
    expect(access.session(cookies[0] ?? '')).toBeUndefined();
    expect(access.session(cookies[1] ?? '')).toBeDefined();
  });

  it('is nothing that a session, a code or a token of another kind could stand for', () => {
    const cookie = access.open(access.link('read')) ?? '';
    expect(access.open(cookie)).toBeUndefined();
    expect(access.session(READ)).toBeUndefined();
    expect(access.scopeOf(cookie)).toBeUndefined();
    expect(access.open(access.session(cookie)?.csrf ?? '')).toBeUndefined();
  });
});

describe('wrong tokens', () => {
  const guess = (times: number) => {
    for (let n = 0; n < times; n++) expect(access.scopeOf('w'.repeat(43))).toBeUndefined();
  };

  it('are told to wait from the fifth on, twice as long each time, five minutes at most', () => {
    guess(4);
    expect(access.bannedMs).toBe(0);
    guess(1);
    expect(access.bannedMs).toBe(1_000);
    now = 1_000;
    guess(1);
    expect(access.bannedMs).toBe(2_000);
    guess(1_000);
    now = 3_000;
    guess(1);
    expect(access.bannedMs).toBe(300_000);
    expect(guessed).toEqual([5, 6, 1_007]);
  });

  it('cannot lock the owner out', () => {
    const cookie = access.open(access.link('control')) ?? '';
    guess(1_000);
    expect(access.scopeOf(READ)).toBe('read');
    expect(access.scopeOf(CONTROL)).toBe('control');
    expect(access.session(cookie)).toBeDefined();
    expect(access.open(access.link('read'))).toBeDefined();
  });

  it('are forgotten after ten quiet minutes', () => {
    guess(100);
    now = 600_001;
    guess(4);
    expect(access.bannedMs).toBe(0);
  });
});
