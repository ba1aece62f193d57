/** A daemon whose stdout takes nothing: it has work to do that nobody has to read of. */
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DaemonStatus } from '../../src/daemon/daemon-api.js';
import { withDesk } from './daemon-desk.js';
import { run, start, until, withFolder } from './program.js';

describe('a daemon goes on, says so in its log and ends in order', () => {
  it.each(['a pipe that is closed', 'a disk that is full'])('with its stdout on %s', (what) =>
    withFolder((folder) =>
      withDesk({ folder }, async (desk) => {
        const config = join(folder, 'paper.yaml');
        writeFileSync(config, readFileSync(desk.config, 'utf8').replace('mode: live', 'mode: paper'));
        const full = openSync('/dev/full', 'w');
        const isPipe = what.startsWith('a pipe');
        const daemon = start(['start', '--config', config, '--json'], isPipe ? {} : { stdout: full });
        try {
          daemon.child.stdout?.destroy();
          await daemon.said('stdout takes nothing any more');
          expect(daemon.words()).toContain(isPipe ? 'EPIPE' : 'ENOSPC');
          await until('its status', async () => {
            const { stdout } = await run(['status', '--config', config, '--json']);
            const { state, pid } = JSON.parse(stdout) as DaemonStatus;
            return state === 'running' && pid === daemon.child.pid;
          });
          expect(daemon.words().split('stdout takes nothing')).toHaveLength(2);
          daemon.child.kill('SIGTERM');
          const { code, stderr } = await daemon.ended;
          expect(code, stderr).toBe(0);
          expect(stderr).toContain('signal SIGTERM');
          expect(readdirSync(join(desk.state, 'lock'))).toEqual([]);
        } finally {
          daemon.child.kill('SIGKILL');
          closeSync(full);
        }
      }),
    ));
});
