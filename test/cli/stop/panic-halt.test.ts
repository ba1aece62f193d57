/** A panic says what it leaves behind: nothing trades until its file is gone and somebody resumed. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { resume } from '../../../src/cli/commands/resume.js';
import { panic, stop } from '../../../src/cli/commands/stop.js';
import { readHalts } from '../../../src/daemon/halts-file.js';
import { systemClock } from '../../../src/platform/clock.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { systemProcesses } from '../../../src/platform/processes.js';
import { systemTimers } from '../../../src/platform/timers.js';
import { JournalHeld } from '../../../src/storage/journal/journal-lock.js';
import { ASSETS } from '../../../src/venue/catalogue.js';
import { VenueCore } from '../../../src/venue/core/venue-core.js';
import { startVenueServer } from '../../../src/venue/http/server.js';
import { httpServer } from '../../client/local-server.js';
import { folder } from '../../storage/support.js';
import { BTC } from '../../support/markets.js';

const said = { stdout: '', stderr: '' };
let directory: string;
let config: string;

beforeEach(async () => {
  for (const stream of ['stdout', 'stderr'] as const) {
    said[stream] = '';
    vi.spyOn(process[stream], 'write').mockImplementation((text: unknown, done?: unknown) => {
      said[stream] += String(text);
      if (typeof done === 'function') done();
      return true;
    });
  }
  directory = await folder();
  config = join(directory, 'bot.yaml');
  await writeFile(config, 'version: 1\nstrategies: [{ file: maker.ts, pair: USD_BTC_PERP }]\n');
});
afterEach(() => vi.restoreAllMocks());

const terms = () => ({ config, flat: true, within: 1_000, reason: 'fire' }) as const;
const LIMITS = `{ maxPosition: "1", maxOrderQuantity: "1", maxGrossNotional: "1", maxOpenOrders: 1, maxOrdersPerMinute: 1, maxDailyLoss: "1", priceCollar: "0.1" }`;
const live = `version: 1\nmode: live\nvenue: { url: http://127.0.0.1:1 }\nstrategies: [{ file: maker.ts, pair: USD_BTC_PERP }]\nlimits: ${LIMITS}\n`;
const withKeys = async () => {
  for (const name of ['key', 'secret']) await writeFile(join(directory, name), 'of-nobody', { mode: 0o600 });
  return live.replace('127.0.0.1:1 }', '127.0.0.1:1, apiKeyFile: key, apiSecretFile: secret }');
};
const file = () => join(directory, 'var', 'HALT');

it('in words, with what ends it', async () => {
  expect(await panic(terms())).toBe(0);
  expect(await readFile(file(), 'utf8')).toBe('cancel fire\n');
  expect(said.stderr).toContain(
    `halted: ${file()} is there, and nothing adds risk (rm ${file()}, then tickwright resume --config ${config}, when you know why it was)\n`,
  );
});

it('in its document', async () => {
  expect(await panic({ ...terms(), json: true })).toBe(0);
  expect(JSON.parse(said.stdout)).toEqual({ schemaVersion: 1, ended: 'none', proven: true, halted: true });
});

it('in the document of one that has no key, too', async () => {
  const limits = `{ maxPosition: "1", maxOrderQuantity: "1", maxGrossNotional: "1", maxOpenOrders: 1, maxOrdersPerMinute: 1, maxDailyLoss: "1", priceCollar: "0.1" }`;
  await writeFile(
    config,
    `version: 1\nmode: live\nvenue: { url: http://127.0.0.1:1 }\nstrategies: [{ file: maker.ts, pair: USD_BTC_PERP }]\nlimits: ${limits}\n`,
  );
  expect(await panic({ ...terms(), json: true })).toBe(5);
  expect(JSON.parse(said.stdout)).toMatchObject({ proven: false, halted: true });
  expect(said.stderr).toContain(`halted: ${file()} is there`);
});

it('which stays when only its file is gone, until somebody resumes', async () => {
  const paper = await readFile(config, 'utf8');
  const word = { config, reason: 'it is out', by: 'anna', yes: true } as const;
  for (const [mode, text, code] of [
    ['paper', paper, 0],
    ['live', live, 5],
    ['live', await withKeys(), 5],
  ] as const) {
    await writeFile(config, text);
    expect(await panic(terms())).toBe(code);
    expect(await readHalts(nodeFiles, join(directory, 'var'), mode)).toEqual([
      { level: 'cancel', reason: 'fire', by: 'panic' },
    ]);
    await rm(file());
    expect(await resume(word)).toBe(0);
    expect(said.stderr).toContain('resumed by anna: the next start may add risk again');
    expect(await readHalts(nodeFiles, join(directory, 'var'), mode)).toEqual([]);
    said.stderr = '';
  }
});

it('also when it is ended itself before it has proven anything', async () => {
  await writeFile(config, await withKeys());
  let hasEnded = false;
  const ended = panic(terms()).finally(() => (hasEnded = true));
  await vi.waitFor(() => expect(said.stderr).toContain('no daemon runs'));
  expect(await readHalts(nodeFiles, join(directory, 'var'), 'live')).toHaveLength(1);
  expect(hasEnded).toBe(false);
  await ended;
});

it('also when another process holds a journal, and tells the receivers: nobody else says that it failed', async () => {
  const receiver = await httpServer((_, response) => response.end());
  const journal = join(directory, 'var', 'USD_BTC_PERP', 'journal');
  await mkdir(journal, { recursive: true });
  await writeFile(join(journal, `lock-${'a'.repeat(16)}`), `${systemProcesses.self}\n`);
  try {
    await writeFile(config, `${await withKeys()}alerts: [{ to: webhook, url: "${receiver.url}" }]\n`);
    await expect(panic({ ...terms(), json: true })).rejects.toThrow(JournalHeld);
    expect(JSON.parse(said.stdout)).toMatchObject({ ended: 'none', proven: false, halted: true });
    expect(said.stderr).toContain(`halted: ${file()} is there`);
    expect(receiver.seen.map(({ body }) => (JSON.parse(body) as { title: string }).title)).toEqual([
      'panic (flat): not proven',
    ]);
  } finally {
    await receiver.close();
  }
});

it('also of what a start would run, where a daemon on paper ran', async () => {
  await writeFile(config, live);
  const daemon = { formatVersion: 1, pid: 1, process: 'of nobody', mode: 'paper' };
  await mkdir(join(directory, 'var'));
  await writeFile(join(directory, 'var', 'daemon.json'), JSON.stringify(daemon));
  expect(await panic(terms())).toBe(0);
  for (const mode of ['paper', 'live'] as const)
    expect(await readHalts(nodeFiles, join(directory, 'var'), mode)).toHaveLength(1);
});

it('also where it is proven and the journal could not be written', async () => {
  const core = new VenueCore({ markets: [{ market: BTC, prices: 'index' }], assets: ASSETS });
  core.openAccount('anna', { USD: '100000' });
  const accounts = [{ key: 'of-nobody', secret: 'of-nobody', account: 'anna' }];
  const timed = { clock: systemClock, timers: systemTimers };
  const server = await startVenueServer({ core, drivers: [], ...timed, accounts, port: 0 });
  try {
    await writeFile(config, (await withKeys()).replace('http://127.0.0.1:1', server.url));
    const halts = () => readHalts(nodeFiles, join(directory, 'var'), 'live');
    expect(await panic(terms())).toBe(0);
    expect(await halts()).toEqual([]);
    const writeAtomic = nodeFiles.writeAtomic.bind(nodeFiles);
    vi.spyOn(nodeFiles, 'writeAtomic').mockImplementation((path, ...rest) =>
      path.includes('lock-') ? Promise.reject(new Error('permission denied')) : writeAtomic(path, ...rest),
    );
    await rm(join(directory, 'var'), { recursive: true });
    expect(await panic(terms())).toBe(0);
    expect(await halts()).toHaveLength(1);
  } finally {
    await server.close();
  }
});

it('and not where there could be no file', async () => {
  vi.spyOn(nodeFiles, 'writeAtomic').mockRejectedValue(new Error('no space left on device'));
  expect(await panic({ ...terms(), json: true })).toBe(0);
  expect(JSON.parse(said.stdout)).toMatchObject({ halted: false });
  expect(said.stderr).toContain(`${file()} could not be written: what is started now may trade\n`);
});

it('a stop halts nothing, and says nothing of it', async () => {
  expect(await stop({ ...terms(), json: true })).toBe(0);
  expect(JSON.parse(said.stdout)).toEqual({ schemaVersion: 1, ended: 'none', proven: true });
  expect(said.stderr).not.toContain('halted');
});
