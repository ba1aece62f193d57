import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { processId, systemProcesses } from '../../src/platform/processes.js';

it('knows itself, and its id by its name', () => {
  expect(systemProcesses.stateOf(systemProcesses.self)).toBe('alive');
  expect(processId(systemProcesses.self)).toBe(process.pid);
});

const hasProc = existsSync('/proc/self/stat');

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
      const fields = () => {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      };
      const [host, boot] = systemProcesses.self.split('/');
      const name = [host, boot, pid, fields()[19]].join('/');
      await expect.poll(() => fields()[0], { timeout: 10_000 }).toBe('Z');
      expect(systemProcesses.stateOf(name)).toBe('gone');
    } finally {
      parent.kill('SIGKILL');
    }
  },
);
