import { describe, expect, it } from 'vitest';
import { openDoor } from '../../../src/daemon/control/http-door.js';
import { UsageError } from '../../../src/model/errors.js';

const ERRORS = ['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'EMFILE'] as const;
const failed = (code: string) => Object.assign(new Error(`listen ${code}`), { code });

/** A door whose address fails with each of these errors in turn, and then can be had. */
function door(waits: boolean, errors: readonly Error[]) {
  const left = [...errors];
  const due: { readonly ms: number; readonly task: () => void }[] = [];
  const opened: number[] = [];
  const opening = openDoor({
    address: { host: '::1', port: 8090, waits },
    listen() {
      const error = left.shift();
      return error === undefined ? Promise.resolve(8090) : Promise.reject(error);
    },
    after: (ms, task) => void due.push({ ms, task }),
    onOpen: (port) => opened.push(port),
  });
  return { opening, due, opened };
}

const settled = () => new Promise((done) => setImmediate(done));

describe('a door', () => {
  it('is open where its address can be had', async () => {
    const { opening, due, opened } = door(true, []);
    expect(await opening).toBeUndefined();
    expect([opened, due]).toEqual([[8090], []]);
  });

  it.each(ERRORS)('that waits is shut at first after %s, and tried again until it is open', async (code) => {
    const { opening, due, opened } = door(true, [failed(code), failed(code), failed('EADDRINUSE')]);
    expect(await opening).toMatch(/^control\.http is not open at \[::1\]:8090, which .*; it is tried again/);
    for (let tries = 1; tries <= 3; tries++) {
      expect(opened).toEqual([]);
      expect(due.map(({ ms }) => ms)).toEqual([10_000]);
      due.pop()?.task();
      await settled();
    }
    expect([opened, due]).toEqual([[8090], []]);
  });

  it.each(ERRORS)('that does not wait fails with %s', async (code) => {
    const { opening, due } = door(false, [failed(code)]);
    const error: unknown = await opening.catch((reason: unknown) => reason);
    // Another attempt may well have a file descriptor.
    expect(error instanceof UsageError).toBe(code !== 'EMFILE');
    expect(due).toEqual([]);
  });

  it('does not wait for an address that no attempt may have', async () => {
    const { opening, due } = door(true, [new UsageError('TICKWRIGHT_E_CONTROL', 'a control surface must …')]);
    await expect(opening).rejects.toThrow('a control surface must');
    expect(due).toEqual([]);
  });
});
