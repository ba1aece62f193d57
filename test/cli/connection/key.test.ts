/** The key of a daemon: one daemon of a machine has it, and the venue takes it. */
import { describe, expect, it } from 'vitest';
import { demandKey } from '../../../src/cli/connection/key-check.js';
import { lockKey } from '../../../src/cli/connection/key-lock.js';
import { demandSignature } from '../../../src/cli/connection/signature-trial.js';
import { describeError } from '../../../src/cli/report-error.js';
import { VenueError } from '../../../src/ports/venue-api.js';
import type { Machine } from '../../../src/cli/machine.js';
import { SILENT } from '../../../src/ports/log.js';
import { VirtualTime } from '../../support/virtual-time.js';

const IS_LINUX = process.platform === 'linux';
const CREDENTIALS = { apiKey: `canary-key-${process.pid}`, apiSecret: 'a secret' };
const VENUE = { url: 'http://127.0.0.1:1', credentials: CREDENTIALS };

describe.skipIf(!IS_LINUX)('the lock of a key (skipped unless on Linux)', () => {
  it('is one for a venue and a key, whatever else differs, and ends a second daemon with 75', async () => {
    const lock = await lockKey(VENUE);
    const refused = await lockKey({ ...VENUE, credentials: { ...CREDENTIALS, apiSecret: 'another' } }).catch(
      (error: unknown) => error,
    );
    const { text, exitCode } = describeError(refused);
    expect(exitCode).toBe(75);
    expect(text).toMatch(
      `error: a key for http://127.0.0.1:1 must have one bot on this machine, received a second one: process ${process.pid} trades with it already`,
    );
    expect(text).not.toContain('canary');

    expect(await lockKey({ ...VENUE, url: `${VENUE.url}/` }).catch(String)).toContain('a second one');

    for (const url of [
      'http://localhost:1',
      'http://127.5.6.7:1/',
      'http://[::1]:1',
      'http://LOCALHOST:1//',
    ]) {
      expect(await lockKey({ ...VENUE, url }).catch(String)).toContain(`a key for ${url} must have one bot`);
    }

    const elsewhere = await lockKey({ ...VENUE, url: 'http://127.0.0.1:2' });
    const another = await lockKey({ ...VENUE, credentials: { ...CREDENTIALS, apiKey: 'another-key' } });
    const elsewhereToo = await lockKey({ ...VENUE, url: 'http://localhost:2/' }).catch(String);
    expect(elsewhereToo).toContain('a second one');
    const otherPath = await lockKey({ ...VENUE, url: 'http://localhost:2/api' });
    const otherHost = await lockKey({ ...VENUE, url: 'https://127.example.com:1' });
    for (const each of [lock, elsewhere, another, otherPath, otherHost]) await each.release();
    await (await lockKey(VENUE)).release();
  });
});

describe('a key that is tried', () => {
  const refusal = new VenueError('refused', 'unknown key');

  /** The venue gives these answers one after the other; `undefined` is none at all. */
  async function tried(...answers: readonly (VenueError | 'taken' | undefined)[]) {
    const time = new VirtualTime();
    const left = [...answers];
    const machine = { timers: time.timers, log: SILENT } as Machine;
    let end: unknown = 'waits';
    const work = demandKey(machine, VENUE, () => {
      const answer = left.shift();
      if (answer === undefined) return new Promise(() => undefined);
      return answer === 'taken' ? Promise.resolve([]) : Promise.reject(answer);
    }).then(
      () => {
        end = 'goes on';
      },
      (error: unknown) => {
        end = error;
      },
    );
    await time.advance(10_000);
    await work;
    return { end, left, pending: time.pending };
  }

  it('ends the start with 77 when it is refused twice', async () => {
    const { end, left, pending } = await tried(refusal, refusal, 'taken');
    expect(describeError(end)).toEqual({
      text: expect.stringContaining('the venue at http://127.0.0.1:1 refuses the key: unknown key') as string,
      exitCode: 77,
    });
    expect([left.length, pending]).toEqual([1, 0]);
  });

  it('is refused as well in the words of another venue', async () => {
    const invalid = new VenueError('refused', 'Invalid API-key.', { isUnauthorized: true });
    expect(describeError((await tried(invalid, invalid)).end).exitCode).toBe(77);
    expect((await tried(new VenueError('refused', 'Invalid API-key.'), invalid)).end).toBe('goes on');
  });

  it('goes on when it is taken, at once or the second time', async () => {
    expect(await tried('taken', refusal)).toEqual({ end: 'goes on', left: [refusal], pending: 0 });
    expect(await tried(refusal, 'taken', refusal)).toEqual({ end: 'goes on', left: [refusal], pending: 0 });
  });

  it('is left to the sessions when the venue fails in another way, or says nothing', async () => {
    const gone = new VenueError('unreachable', 'nobody there');
    expect((await tried(gone, refusal)).end).toBe('goes on');
    expect((await tried(refusal, gone)).end).toBe('goes on');
    expect((await tried(new VenueError('refused', 'maintenance'), refusal)).end).toBe('goes on');
    expect(await tried(undefined, refusal)).toEqual({ end: 'goes on', left: [refusal], pending: 0 });
  });
});

it.each([
  [{ kind: 'refused', reason: 'bad signature' }, 'refused'],
  [{ kind: 'refused', reason: 'unknown order' }, 'taken'],
  [{ kind: 'refused', reason: 'Invalid sign.', isUnauthorized: true }, 'refused'],
  // Where no error of the venue is trusted.
  [{ kind: 'unanswered', reason: 'bad signature' }, 'refused'],
  [{ kind: 'unanswered', reason: 'Invalid sign.', isUnauthorized: true }, 'refused'],
  [{ kind: 'unanswered', reason: 'timeout' }, 'taken'],
] as const)('a secret that is tried, and the venue answers %j: %s', async (outcome, said) => {
  const end = demandSignature({ cancel: () => Promise.resolve(outcome) }).then(
    () => 'taken',
    (error: unknown) => error,
  );
  if (said === 'taken') expect(await end).toBe('taken');
  else expect(await end).toMatchObject({ kind: 'refused', message: outcome.reason });
});
