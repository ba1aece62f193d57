import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { holdName, type NameHeld, type NameLock } from '../../src/platform/name-lock.js';

const IS_LINUX = process.platform === 'linux';
let names = 0;

/** One that nobody else has. */
function anyName(): string {
  return `tickwright-test-${process.pid}-${names++}`;
}

async function held(name: string): Promise<NameLock> {
  const lock = await holdName(name);
  if (lock === undefined || 'holder' in lock) throw new Error(`${name} must be free`);
  return lock;
}

/** A process that holds a name, and says nothing to those who ask. */
async function silentHolder(name: string): Promise<ChildProcess> {
  const script = `require('node:net').createServer(() => {}).listen('\\0' + process.argv[1], () => console.log('held'))`;
  const child = spawn(process.execPath, ['-e', script, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

it.skipIf(!IS_LINUX)(
  '(skipped unless on Linux) a name has one holder, which says its process, until it lets go',
  async () => {
    const name = anyName();
    const first = await held(name);
    expect(await holdName(name)).toEqual({ holder: process.pid });
    const other = await held(anyName());
    await first.release();
    await (await held(name)).release();
    await other.release();
  },
);

it.skipIf(!IS_LINUX)(
  '(skipped unless on Linux) a name of a process that was killed is free at once',
  async () => {
    const name = anyName();
    const child = await silentHolder(name);
    expect(await holdName(name)).toEqual({ holder: undefined } satisfies NameHeld);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await held(name)).release();
  },
);

it.skipIf(!IS_LINUX)(
  '(skipped unless on Linux) somebody who asks and stays keeps nobody from letting go',
  async () => {
    const name = anyName();
    const lock = await held(name);
    const socket = connect({ path: `\0${name}`, allowHalfOpen: true });
    socket.on('error', () => undefined);
    await once(socket, 'data');
    await lock.release();
    socket.destroy();
  },
);
