/** A daemon, and its stop, on a disk with little or no room: it comes up, cancels what rests and places nothing; a stop closes. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mountSmallDisk, mountsSmallDisks, unmountSmallDisk } from '../support/small-disk.js';
import { withDesk } from './daemon-desk.js';
import { held, holding } from './holding.js';
import { isAlive, withFolder } from './program.js';

/** Calls with a folder, and with one in it for the state that is a disk of its own, in memory. */
function withSmallState(work: (folder: string, state: string) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    const state = join(folder, 'state');
    mkdirSync(state, { mode: 0o700 });
    expect(mountSmallDisk(state, '400m,mode=700')).toBe(true);
    try {
      await work(folder, state);
    } finally {
      unmountSmallDisk(state);
    }
  });
}

function resize(folder: string, size: string): void {
  expect(spawnSync('mount', ['-o', `remount,size=${size}`, folder]).status).toBe(0);
}

/** Takes what is free of a disk in memory away. */
function fill(folder: string): void {
  const { blocks, bfree, bsize } = statfsSync(folder);
  const size = (blocks - bfree) * bsize;
  resize(folder, String(size));
  expect(statfsSync(folder).bfree).toBe(0);
}

const WHY_NOT = mountsSmallDisks ? '' : ' (a small disk cannot be mounted here)';

it.skipIf(!mountsSmallDisks)(
  `comes up, cancels and can be asked and ended without a byte of room${WHY_NOT}`,
  () =>
    withSmallState(async (folder, state) => {
      await withDesk({ folder, state }, async (desk) => {
        let first: number;
        do {
          first = await desk.start();
          await desk.quoting();
          process.kill(first, 'SIGKILL');
          await desk.until('its death', () => !isAlive(first));
          // It may have died between taking an order back and placing the next one.
        } while ((await desk.orders()).length === 0);
        fill(state);
        const second = await desk.start();
        expect(second).not.toBe(first);
        await desk.until('no order', async () => (await desk.orders()).length === 0);
        await desk.said('a halt', (status) => {
          expect(status).toMatchObject({
            pid: second,
            pairs: [{ state: 'HALTED', permission: 'cancel-only' }],
          });
        });
        expect((await desk.tickwright('stop')).code).toBe(0);
        await desk.until('its end', () => !isAlive(second));
      });
    }),
);

it.skipIf(!mountsSmallDisks)(
  `a panic without a byte of room leaves its HALT file in the room of the dead daemon's own files${WHY_NOT}`,
  () =>
    withSmallState(async (folder, state) => {
      await withDesk({ folder, state }, async (desk) => {
        const pid = await desk.start();
        await desk.quoting();
        fill(state);
        expect((await desk.tickwright('panic', '--cancel')).code).toBe(0);
        expect(isAlive(pid)).toBe(false);
        expect(readFileSync(join(state, 'HALT'), 'utf8')).toMatch(/^cancel /);
      });
    }),
);

it.skipIf(!mountsSmallDisks)(
  `is stopped by a sentinel that began without a byte of room, which has its lock as soon as there is some${WHY_NOT}`,
  () =>
    withSmallState(async (folder, state) => {
      await withDesk({ folder, state, more: 'sentinel: { hung: 5s }' }, async (desk) => {
        const pid = await desk.start();
        await desk.quoting();
        fill(state);
        const sentinel = desk.background('sentinel');
        await sentinel.said('sentinel: watching');
        process.kill(pid, 'SIGSTOP');
        await sentinel.said('cancel is proven');
        expect(isAlive(pid)).toBe(false);
        expect(await desk.orders()).toEqual([]);
        resize(state, '800m');
        await desk.until('its lock', () => readdirSync(join(state, 'sentinel')).length === 1);
        const second = await desk.tickwright('sentinel');
        expect([second.code, second.stderr]).toEqual([75, expect.stringContaining('must have one sentinel')]);
      });
    }),
);

it.skipIf(!mountsSmallDisks)(
  `is found, kept alone and ended although it could write neither file nor lock${WHY_NOT}`,
  () =>
    withSmallState(async (folder, state) => {
      await withDesk({ folder, state }, async (desk) => {
        // Of its first life it keeps what it must have: tokens and a journal.
        await desk.start();
        await desk.quoting();
        expect((await desk.tickwright('stop')).code).toBe(0);
        const path = join(state, 'daemon.json');
        fill(state);
        const first = await desk.start();
        expect(existsSync(path)).toBe(false);
        const second = await desk.tickwright('start', '--live', '--no-certificate', '--detach');
        expect([second.code, second.stderr]).toEqual([75, expect.stringContaining(`process ${first} runs`)]);
        expect((await desk.tickwright('panic', '--cancel')).code).toBe(0);
        await desk.until('its end', () => !isAlive(first));
        const third = await desk.start();
        expect(existsSync(path)).toBe(false);
        resize(state, '800m');
        await desk.until('its file', () => existsSync(path));
        expect(desk.file().pid).toBe(third);
        // Each of the two is tried again every two seconds of its own: the file may come first.
        const locks = join(state, 'lock');
        await desk.until('its lock', () => existsSync(locks) && readdirSync(locks).length === 1);
        expect((await desk.tickwright('stop')).code).toBe(0);
        await desk.until('its end', () => !isAlive(third));
        expect(existsSync(path)).toBe(false);
      });
    }),
);

it.skipIf(!mountsSmallDisks)(
  `closes on a disk with little room, and the next start knows its closing orders; with no room it says what follows${WHY_NOT}`,
  () =>
    withSmallState(async (folder, state) => {
      await withDesk(holding(folder, { state }), async (desk) => {
        await desk.start();
        await held(desk);
        resize(state, '200m');
        const roomy = await desk.tickwright('stop', '--flat');
        expect([roomy.code, roomy.stdout]).toEqual([0, expect.not.stringContaining('attach --accept')]);
        expect(roomy.stderr).not.toContain('cancels orders and places none');
        resize(state, '400m');
        const second = await desk.start();
        await held(desk);
        process.kill(second, 'SIGKILL');
        await desk.until('its death', () => !isAlive(second));
        fill(state);
        const full = await desk.tickwright('stop', '--flat');
        expect([full.code, full.stdout]).toEqual([0, expect.stringContaining('attach --accept')]);
      });
    }),
);
