import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { processId, systemProcesses } from '../../src/platform/processes.js';
import { missingTools } from '../support/tools.js';

it('knows itself, and its id by its name', () => {
  expect(systemProcesses.stateOf(systemProcesses.self)).toBe('alive');
  expect(processId(systemProcesses.self)).toBe(process.pid);
});

const hasProc = existsSync('/proc/self/stat');

/** Ends its main thread as `kill -9` may do before the others: one that is inside a write ends when the write has. */
const HALF_ENDED = `
import ctypes, sys, threading
threading.Thread(target=sys.stdin.read).start()
ctypes.CDLL(None).pthread_exit(None)
`;
const withoutThreads = hasProc ? missingTools('python3') : 'no /proc here';

/** The fields after the program's name, which is in parentheses. */
function fieldsOf(pid: number | string): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function nameOf(pid: number | string): string {
  const [host, boot] = systemProcesses.self.split('/');
  return [host, boot, pid, fieldsOf(pid)[19]].join('/');
}

it.skipIf(!hasProc)(
  `counts a process as gone that has ended, and that nobody has buried${hasProc ? '' : ' (no /proc here)'}`,
  async () => {
    // What `exec` puts in the shell's place never asks for the end of the shell's child.
    const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 30'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const pid = await new Promise<string>((resolve) => {
        parent.stdout.once('data', (text: Buffer) => resolve(text.toString().trim()));
      });
      const name = nameOf(pid);
      await expect.poll(() => fieldsOf(pid)[0], { timeout: 10_000 }).toBe('Z');
      expect(systemProcesses.stateOf(name)).toBe('gone');
    } finally {
      parent.kill('SIGKILL');
    }
  },
);

it.skipIf(withoutThreads !== undefined)(
  `counts a process as alive until its last thread has ended${withoutThreads === undefined ? '' : ` (${withoutThreads})`}`,
  async () => {
    const child = spawn('python3', ['-I', '-c', HALF_ENDED], { stdio: ['pipe', 'ignore', 'inherit'] });
    try {
      const pid = child.pid as number;
      const name = nameOf(pid);
      await expect.poll(() => fieldsOf(pid)[0], { timeout: 10_000 }).toBe('Z');
      expect(systemProcesses.stateOf(name)).toBe('alive');
      child.stdin.end();
      await once(child, 'exit');
      expect(systemProcesses.stateOf(name)).toBe('gone');
    } finally {
      child.kill('SIGKILL');
    }
  },
);
