import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { whileSaying } from '../../../src/cli/stop/while-saying.js';
import { VirtualTime } from '../../support/virtual-time.js';

let said: string[];
beforeEach(() => {
  said = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text: unknown, done?: unknown) => {
    said.push(String(text).trimEnd());
    if (typeof done === 'function') done();
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

const WHAT = { what: 'it is not proven yet', mostMs: 120_000 };

it('says after 5 s that it goes on, then every 15 s, and nothing more once it is done', async () => {
  const time = new VirtualTime();
  let end: (value: string) => void = () => undefined;
  const work = whileSaying(time, WHAT, () => new Promise<string>((resolve) => (end = resolve)));
  await time.advance(4_999);
  expect(said).toEqual([]);
  await time.advance(1);
  expect(said).toEqual(['it is not proven yet; it goes on for 1m 55s at most']);
  await time.advance(30_000);
  expect(said).toHaveLength(3);
  end('proof');
  expect(await work).toBe('proof');
  await time.advance(60_000);
  expect(said).toHaveLength(3);
  expect(time.pending).toBe(0);
});

it('promises nothing once its time is over', async () => {
  const time = new VirtualTime();
  const work = whileSaying(time, { ...WHAT, mostMs: 5_000 }, () => new Promise<void>(() => undefined));
  await time.advance(21_000);
  expect(said).toEqual(['it is not proven yet', 'it is not proven yet']);
  void work;
});

it('says nothing after a failure', async () => {
  const time = new VirtualTime();
  await expect(whileSaying(time, WHAT, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(time.pending).toBe(0);
});
