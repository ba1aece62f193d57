import { describe, expect, it } from 'vitest';
import { supervise } from '../../../src/cli/daemon/supervision.js';
import type { Machine } from '../../../src/cli/machine.js';
import { SILENT } from '../../../src/ports/log.js';
import { VirtualTime } from '../../support/virtual-time.js';

const MINUTE = 60_000;

/** Told each 20 s, by a program that is not there: what it would hear no more of is in the log. */
async function stuckOver(ms: number, pollMs: number, pollsUntil = ms): Promise<readonly unknown[]> {
  const time = new VirtualTime();
  const stuck: unknown[] = [];
  const environment = { NOTIFY_SOCKET: '/run/none', WATCHDOG_USEC: '60000000', PATH: '/nowhere' };
  const log = { ...SILENT, error: (_: string, fields?: object) => stuck.push(fields) };
  const { clock, timers } = time;
  const progress = () => ({
    looks: Math.floor(time.now / 1_000),
    'polls A': Math.floor(Math.min(time.now, pollsUntil) / pollMs),
  });
  const machine = { clock, timers, log, environment } as unknown as Machine;
  const supervision = supervise(machine, { progress }, [{ pollMs: 5_000 }, { pollMs }, {}]);
  supervision.ready('live');
  await time.advance(ms);
  supervision.stop();
  return stuck;
}

describe('the supervisor of a daemon', () => {
  it('hears all the time of polls that are rarer than the patience with a loop', async () => {
    expect(await stuckOver(60 * MINUTE, 10 * MINUTE)).toEqual([]);
  });

  it('hears nothing more once those have stopped', async () => {
    expect(await stuckOver(70 * MINUTE, 10 * MINUTE, 20 * MINUTE)).toEqual([{ stuck: 'polls A' }]);
  });
});
