/** A recorder whose disk is full when it ends. */
import { mkdirSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mountSmallDisk, mountsSmallDisks, unmountSmallDisk } from '../support/small-disk.js';
import { oneDocument, start, startVenue, withFolder } from './program.js';

const WHY_NOT = mountsSmallDisks ? '' : ' (a small disk cannot be mounted here)';
const PAIR = 'USD_BTC_PERP';

it.skipIf(!mountsSmallDisks)(`prints what it has, and says what is not in which file${WHY_NOT}`, () =>
  withFolder(async (folder) => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    expect(mountSmallDisk(disk, '1m')).toBe(true);
    const { url, running } = await startVenue([]);
    try {
      const recorder = start(['record', PAIR, '--venue', url, '--out', disk, '--for', '5s', '--json']);
      await recorder.said('recording');
      const { bfree, bsize } = statfsSync(disk);
      writeFileSync(join(disk, 'filler'), new Uint8Array(bfree * bsize));
      const { code, stdout, stderr } = await recorder.ended;
      expect(code, stderr).toBe(1);
      const [pair = {}] = oneDocument(stdout)['pairs'] as Record<string, unknown>[];
      expect(pair).toMatchObject({ pair: PAIR, trades: 0, tickers: 0, missing: {} });
      const { trades, since, file, facts } = pair['missing'] as Record<string, unknown>;
      expect(trades).toBeGreaterThan(0);
      expect(facts).toBeGreaterThan(0);
      expect(since).toBeTypeOf('number');
      expect(stderr).toContain(
        `error: ${String(file)} must have room on its disk, received none: ${String(trades)} trade`,
      );
      expect(String(file)).toMatch(new RegExp(`^${disk}/${PAIR}/.*\\.arrow$`));
    } finally {
      running.child.kill('SIGTERM');
      await running.ended;
      unmountSmallDisk(disk);
    }
  }),
);
