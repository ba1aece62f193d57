/** A recorder in a folder into which an import has died. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { start, startVenue, withFolder } from './program.js';

const PAIR = 'USD_BTC_PERP';

it('says that what it records stays closed until that file was imported', () =>
  withFolder(async (folder) => {
    await mkdir(join(folder, PAIR));
    const sources = [{ name: 'july.csv', bytes: 1_234 }];
    const mark = join(folder, PAIR, 'import-unfinished.json');
    await writeFile(mark, JSON.stringify({ sources }));
    const { url, running } = await startVenue([]);
    try {
      const { code, stderr } = await start(['record', PAIR, '--venue', url, '--out', folder, '--for', '1s'])
        .ended;
      expect(stderr).toContain(
        `warning: the recording of ${PAIR} must be whole, received one with an import that was broken off: ` +
          'no backtest opens it before tickwright data import of july.csv (1234 bytes) has come to its end (' +
          `if no such file is left, delete ${mark}: the rows that were not imported are then missing without a word)\n`,
      );
      expect(code).toBe(0);
    } finally {
      running.child.kill('SIGTERM');
      await running.ended;
    }
  }));
