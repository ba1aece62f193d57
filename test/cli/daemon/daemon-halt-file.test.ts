import { expect, it } from 'vitest';
import { watchHaltFile } from '../../../src/cli/daemon/daemon-halt-file.js';
import type { HaltLevel } from '../../../src/model/journal-record.js';
import { SILENT } from '../../../src/ports/log.js';
import { MemoryFiles } from '../../support/memory-files.js';
import { VirtualTime } from '../../support/virtual-time.js';

it('halts a daemon one of whose pairs is halted by itself already, once, and again only when it says more', async () => {
  const time = new VirtualTime();
  const files = new MemoryFiles();
  const halts: string[] = [];
  let ownHalt: HaltLevel | undefined;
  const stop = await watchHaltFile({ files, timers: time.timers, log: SILENT }, '/bot', {
    // Of one pair nothing is known here.
    get ownHalt() {
      return ownHalt;
    },
    halt(level, { reason, by }) {
      ownHalt = level;
      halts.push(`${level}: ${reason} (${by})`);
    },
  });
  files.set('/bot/HALT', new TextEncoder().encode('pause everything'));
  await time.advance(3_000);
  expect(halts).toEqual(['pause: everything (HALT file /bot/HALT)']);
  files.set('/bot/HALT', new TextEncoder().encode('cancel everything'));
  await time.advance(3_000);
  expect(halts).toHaveLength(2);
  expect(halts[1]).toMatch(/^cancel: everything/);
  stop();
});
