/** Exports that are broken off. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, start, withFolder } from './program.js';

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('an export that %s breaks off leaves what was there, and nothing under a hidden name', (signal, code) =>
  withFolder(async (folder) => {
    const sample = join(ROOT, 'backtest', 'sample');
    const out = join(folder, 'trades.csv.gz');
    await writeFile(out, 'as it was');
    const exporting = start(['data', 'export', sample, '--format', 'csv', '--out', out]);
    await expect.poll(() => readdir(folder), { interval: 2, timeout: 60_000 }).toHaveLength(2);
    exporting.child.kill(signal);
    expect(await exporting.ended).toMatchObject({ code, stdout: '' });
    expect(await readdir(folder)).toEqual(['trades.csv.gz']);
    expect(await readFile(out, 'utf8')).toBe('as it was');
  }));
