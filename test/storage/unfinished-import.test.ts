/** The mark of an import that was broken off: who lifts it, who leaves it, and what it tells. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { importTrades } from '../../src/storage/import/import-trades.js';
import { openRecording } from '../../src/storage/recording/recording.js';
import { files, folder, PAIR, T0 } from './support.js';

const HEADER = 'id,is_buyer_maker,qty,price,time';
const LINE = `1,false,0.1,60000,${T0}`;
const WHOLE = `${HEADER}\n${LINE}\n`;
/** More trades than wait in memory, before a line that is none. */
const REFUSED_LATE = [
  HEADER,
  ...Array.from({ length: 140_000 }, (_, i) => `${i + 1},false,0.1,60000,${T0 + i}`),
  'nonsense',
].join('\n');

/** A folder of recordings with this mark. */
async function marked(text: string): Promise<{ directory: string; mark: string }> {
  const directory = await folder();
  await mkdir(join(directory, PAIR));
  const mark = join(directory, PAIR, 'import-unfinished.json');
  await writeFile(mark, text);
  return { directory, mark };
}

async function bring(directory: string, name: string, contents: string | Uint8Array) {
  const source = join(await folder(), name);
  await writeFile(source, contents);
  return importTrades(files, { sources: [source], pair: PAIR, directory });
}

const noted = (...sources: readonly unknown[]) => `${JSON.stringify({ sources })}\n`;

describe('a mark', () => {
  it.each([
    ['of earlier versions, which noted paths', noted('/downloads/july.csv')],
    ['that nobody can read', '{"sources":'],
    ['that is empty', ''],
    ['that tells of no file', '{}\n'],
  ])('%s stays as it was after an import that wrote nothing', async (_, text) => {
    const { directory, mark } = await marked(text);
    await expect(bring(directory, 'other.csv', `${HEADER}\nnonsense`)).rejects.toThrow('received');
    expect(await readFile(mark, 'utf8')).toBe(text);
  });

  it('that nobody can read stays after an import of which a later line was refused: it may be of the same file', async () => {
    const text = '{"sources":';
    const { directory, mark } = await marked(text);
    await expect(bring(directory, 'other.csv', REFUSED_LATE)).rejects.toThrow('trades from before that');
    expect(await readFile(mark, 'utf8')).toBe(text);
    await bring(directory, 'other.csv', WHOLE);
    expect(existsSync(mark)).toBe(false);
  });

  it('stays after the import of a file that has grown since, of which a later line was refused', async () => {
    const owed = { name: 'july.csv', bytes: WHOLE.length };
    const { directory, mark } = await marked(noted(owed));
    await expect(bring(directory, 'july.csv', REFUSED_LATE)).rejects.toThrow('trades from before that');
    expect(await readFile(mark, 'utf8')).toBe(noted(owed));
  });

  it('of earlier versions names its file, of which any size is the right one', async () => {
    const { directory, mark } = await marked(noted('/downloads/july.csv'));
    expect((await bring(directory, 'other.csv', WHOLE)).owed).toEqual([{ name: 'july.csv' }]);
    await expect(openRecording(files, [directory])).rejects.toThrow(
      `${join(directory, PAIR)} must be whole, received one with an import that still runs or was broken off, ` +
        'so that what is missing in it was not worked out ' +
        '(tickwright data import of july.csv again: what is there already is passed over; ' +
        `if no such file is left, delete ${mark}: the rows that were not imported are then missing without a word)`,
    );
    expect((await bring(directory, 'july.csv', WHOLE)).owed).toEqual([]);
    expect(existsSync(mark)).toBe(false);
  });

  it.each<[string, string, string, string | Uint8Array]>([
    ['is as large', 'july.csv', 'july.csv', WHOLE],
    ['has grown since', 'july.csv', 'july.csv', `${WHOLE}2,false,0.1,60000,${T0 + 1}\n`],
    ['was packed since', 'july.csv', 'july.csv.gz', gzipSync(WHOLE)],
    ['was unpacked since', 'july.csv.GZ', 'july.csv', WHOLE],
  ])('is lifted by the import of its file, which %s', async (_, before, name, contents) => {
    const { directory, mark } = await marked(noted({ name: before, bytes: WHOLE.length }));
    expect((await bring(directory, name, contents)).owed).toEqual([]);
    expect(existsSync(mark)).toBe(false);
  });

  it.each([
    ['is smaller', 'july.csv', WHOLE.trimEnd()],
    ['has another name', 'august.csv', WHOLE],
    ['has a name of which only the beginning is the same', 'july.csv.old', WHOLE],
  ])('stays after the import of a file that %s', async (_, name, contents) => {
    const owed = { name: 'july.csv', bytes: WHOLE.length };
    const { directory, mark } = await marked(noted(owed));
    expect((await bring(directory, name, contents)).owed).toEqual([owed]);
    expect(await readFile(mark, 'utf8')).toBe(noted(owed));
  });
});
