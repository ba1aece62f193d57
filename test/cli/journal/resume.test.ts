import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resume, type ResumeOptions } from '../../../src/cli/commands/resume.js';
import { resumeStopped } from '../../../src/cli/daemon/resume-stopped.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { isBlocked, writeBlocked } from '../../../src/daemon/blocked-file.js';
import { keepHalts, readHalts } from '../../../src/daemon/halts-file.js';
import type { JournalRecord } from '../../../src/model/journal-record.js';
import { systemClock } from '../../../src/platform/clock.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { systemTimers } from '../../../src/platform/timers.js';
import { booksIn } from '../../../src/runner/open-chronicle.js';
import { lockJournal } from '../../../src/storage/journal/journal-lock.js';
import { readJournal } from '../../../src/storage/journal/journal-reader.js';
import { JournalWriter } from '../../../src/storage/journal/journal-writer.js';

const HALT: JournalRecord = { kind: 'halt', level: 'cancel', reason: 'enough', by: 'bert', wall: 1 };
let folder: string;

beforeEach(async () => {
  folder = await nodeFiles.temporaryDirectory('resume-');
});
afterEach(() => nodeFiles.remove(folder));

const written = (...records: readonly JournalRecord[]) => writtenTo(folder, ...records);

async function writtenTo(bot: string, ...records: readonly JournalRecord[]): Promise<void> {
  const { journal } = await JournalWriter.open({
    directory: join(bot, 'journal'),
    files: nodeFiles,
    timers: systemTimers,
    clock: systemClock,
    ballastBytes: 0,
  });
  for (const record of records) journal.append(record, 'durable');
  await journal.close();
}

async function resumed(options: Partial<ResumeOptions> = {}) {
  let stdout = '';
  let stderr = '';
  const spoken = vi.spyOn(process.stderr, 'write').mockImplementation((text, ...rest: unknown[]) => {
    stderr += String(text);
    (rest.at(-1) as () => void)();
    return true;
  });
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text, ...rest: unknown[]) => {
    stdout += String(text);
    (rest.at(-1) as () => void)();
    return true;
  });
  try {
    const who = { journal: folder, by: 'anna', reason: 'all is well', yes: true, json: true } as const;
    const code = await resume({ ...who, ...options });
    return { code, stderr, document: JSON.parse(stdout || '{}') as Record<string, unknown> };
  } finally {
    spy.mockRestore();
    spoken.mockRestore();
  }
}
const contents = (bot = folder) => readJournal(nodeFiles, join(bot, 'journal'));
const haltIn = async (bot: string) => booksIn(await contents(bot)).halt;

it('does not promise risk on a pair that waits for a person all the same', async () => {
  const [pair, reason] = ['USD_BTC_PERP', 'fill 7 is of no order of ours'];
  await written(HALT, { kind: 'state', pair, state: 'QUARANTINED', reason, time: 1 });
  const { stderr } = await resumed({ json: undefined });
  expect(stderr).toContain(
    'resumed by anna: the next start may add risk again, but not on USD_BTC_PERP: QUARANTINED until tickwright attach --accept',
  );
});

it('ends a halt, by the name of who says so', async () => {
  await written(HALT);
  const { code, document } = await resumed();
  expect(code).toBe(0);
  expect(document).toMatchObject({ halt: 'cancel', resumed: true });
  const found = await contents();
  expect(found.records.at(-1)?.record).toMatchObject({ kind: 'resume', by: 'anna', reason: 'all is well' });
  expect(booksIn(found).halt).toBeUndefined();
});

it('writes nothing where nothing is halted', async () => {
  await written({ kind: 'note', text: 'x', wall: 1 });
  const { code, document } = await resumed();
  expect(code).toBe(0);
  expect(document).toMatchObject({ halt: null, resumed: false });
  expect((await contents()).records).toHaveLength(1);
});

it('refuses while the HALT file is there, and names it', async () => {
  await written(HALT);
  await writeFile(join(folder, 'HALT'), 'pause');
  await expect(resumed()).rejects.toThrow(join(folder, 'HALT'));
  expect((await contents()).records).toHaveLength(1);
});

it('refuses while a bot writes the journal, and leaves its lock alone', async () => {
  await written(HALT);
  const self = 'another';
  const lock = await lockJournal(nodeFiles, { self, stateOf: () => 'gone' }, join(folder, 'journal'));
  await writeFile(lock.path, 'a-host-that-is-not-this-one/boot/1/1\n');
  await expect(resumed()).rejects.toMatchObject({ code: 'TICKWRIGHT_E_JOURNAL_HELD' });
  expect((await contents()).records).toHaveLength(1);
  expect(await nodeFiles.readText(lock.path)).toContain('a-host');
  await lock.release();
  expect((await resumed()).code).toBe(0);
});

it('ends what a daemon that does not run was halted with, also where no journal says so', async () => {
  const config = join(folder, 'bot.yaml');
  const state = join(folder, 'state');
  const strategies = 'strategies: [{ file: a.ts, pair: USD_BTC_PERP }]';
  await writeFile(config, `version: 1\nmode: paper\nstate: ${state}\n${strategies}\n`);
  await nodeFiles.makeDirectory(state);
  await keepHalts(nodeFiles, state, 'live', [{ level: 'cancel', reason: 'enough', by: 'bert' }]);
  await keepHalts(nodeFiles, state, 'paper', [{ level: 'pause', reason: 'lunch', by: 'bert' }]);
  const { code, document } = await resumed({ journal: undefined, config });
  expect(code).toBe(0);
  expect(document).toMatchObject({ halt: 'cancel', resumed: true });
  for (const mode of ['live', 'paper'] as const) expect(await readHalts(nodeFiles, state, mode)).toEqual([]);
});

describe('a daemon that does not run, of whose pairs not every journal is well', () => {
  const [BAD, GOOD] = ['AAA_X_PERP', 'BBB_X_PERP'] as const;
  const PANIC = { level: 'cancel', reason: 'enough', by: 'panic' } as const;
  const halts = (mode: 'live' | 'paper' = 'live') => readHalts(nodeFiles, state, mode);
  let config: string;
  let state: string;
  let bad: string;
  let good: string;
  beforeEach(async () => {
    config = join(folder, 'bot.yaml');
    state = join(folder, 'state');
    [bad, good] = [join(state, BAD), join(state, GOOD)];
    const strategies = [BAD, GOOD].map((pair) => `{ file: a.ts, pair: ${pair} }`).join(', ');
    await writeFile(config, `version: 1\nmode: paper\nstate: ${state}\nstrategies: [${strategies}]\n`);
    await nodeFiles.makeDirectory(state, 0o700);
  });

  async function damaged(bot: string): Promise<void> {
    await writtenTo(bot, HALT, { kind: 'note', text: 'x', wall: 2 });
    const segment = (await nodeFiles.list(join(bot, 'journal'))).find(({ name }) =>
      name.startsWith('segment'),
    );
    await writeFile(
      segment?.path ?? '',
      (await nodeFiles.readText(segment?.path ?? '')).replace('bert', 'bort'),
    );
  }

  it('takes an empty journal, with which a pair begins anew, for one without a halt', async () => {
    await nodeFiles.makeDirectory(join(bad, 'journal'));
    await writtenTo(good, HALT);
    await keepHalts(nodeFiles, state, 'live', [PANIC]);
    const { code, stderr } = await resumed({ journal: undefined, config, json: undefined });
    expect([code, stderr]).toEqual([0, 'resumed by anna: the next start may add risk again\n']);
    expect(await halts()).toEqual([]);
    expect(await haltIn(good)).toBeUndefined();
  });

  it('resumes the pairs that can be read, and says of the others why not', async () => {
    await damaged(bad);
    await writtenTo(good, HALT);
    const { code, stderr } = await resumed({ journal: undefined, config, json: undefined });
    expect(code).toBe(65);
    const [lifted, refused, ...more] = stderr.trimEnd().split('\n');
    expect(lifted).toBe(`resumed by anna on ${GOOD}: the next start may add risk again there`);
    expect(refused).toContain(`error: ${BAD} is not resumed: ${join(bad, 'journal')}`);
    expect(more).toEqual([]);
    expect(await haltIn(good)).toBeUndefined();
  });

  it('promises no risk on a pair that is resumed while the whole stays halted', async () => {
    await damaged(bad);
    await writtenTo(good, HALT);
    await keepHalts(nodeFiles, state, 'live', [PANIC]);
    const { stderr } = await resumed({ journal: undefined, config, json: undefined });
    expect(stderr.split('\n')[0]).toBe(`resumed by anna on ${GOOD}`);
    expect(await haltIn(good)).toBeUndefined();
  });

  it('stays halted as a whole: a pair that begins anew after that must not trade because of this', async () => {
    await damaged(bad);
    await writtenTo(good, HALT);
    await keepHalts(nodeFiles, state, 'live', [PANIC]);
    const first = await resumed({ journal: undefined, config });
    expect(first.code).toBe(65);
    expect(first.document).toMatchObject({
      halt: 'cancel',
      resumed: true,
      notResumed: [{ what: BAD }, { what: `the daemon of ${state}` }],
    });
    expect(await halts()).toEqual([PANIC]);
    const { code, stderr } = await resumed({ journal: undefined, config, json: undefined });
    expect(code).toBe(65);
    expect(stderr).toMatch(/^nothing was resumed\nerror: AAA_X_PERP is not resumed: /);
    expect(stderr).toContain(
      `error: the daemon of ${state} is not resumed: it stays halted (cancel) by panic: enough: that holds back ${BAD}, too; resume again once this is mended\n`,
    );
    await nodeFiles.remove(join(bad, 'journal'));
    expect((await resumed({ journal: undefined, config })).code).toBe(0);
    expect(await halts()).toEqual([]);
  });

  it('ends what holds it on paper all the same, where no journal counts', async () => {
    await damaged(bad);
    await keepHalts(nodeFiles, state, 'paper', [PANIC]);
    const { code, stderr } = await resumed({ journal: undefined, config, json: undefined });
    expect(code).toBe(65);
    expect(stderr).toContain(`resumed by anna on the daemon on paper of ${state}: `);
    expect(await halts('paper')).toEqual([]);
  });

  it('stays halted as a whole by a panic in the time that a person took to answer', async () => {
    await writtenTo(good, HALT);
    await keepHalts(nodeFiles, state, 'live', [PANIC]);
    const consents = async (what: string) => {
      // With the words of the one before.
      if (what.includes(GOOD)) await writeFile(join(state, 'HALT'), 'cancel');
      return true;
    };
    const word = { by: 'anna', reason: 'all is well', consents };
    const { lifted, failures } = (await resumeStopped(thisMachine(), { state, folders: [good] }, word)) ?? {};
    expect(lifted).toEqual([GOOD]);
    expect(failures).toMatchObject([
      { what: `the daemon of ${state}`, error: { code: 'TICKWRIGHT_E_HALT_FILE' } },
    ]);
    expect(await halts()).toMatchObject([PANIC]);
  });

  it('is told that a bot still writes one of the journals, with the exit code of that', async () => {
    await writtenTo(bad, HALT);
    await writtenTo(good, HALT);
    const lock = await lockJournal(
      nodeFiles,
      { self: 'another', stateOf: () => 'gone' },
      join(bad, 'journal'),
    );
    await writeFile(lock.path, 'a-host-that-is-not-this-one/boot/1/1\n');
    const { code, stderr } = await resumed({ journal: undefined, config, json: undefined });
    expect(code).toBe(75);
    expect(stderr).toContain(`resumed by anna on ${GOOD}: `);
    expect(stderr).toContain(`error: ${BAD} is not resumed: ${join(bad, 'journal')} must have one writer`);
    await lock.release();
    expect([await haltIn(bad), await haltIn(good)]).toEqual(['cancel', undefined]);
  });
});

it('lets a strategy run again that hung the daemon, where nothing else is halted', async () => {
  const config = join(folder, 'bot.yaml');
  const state = join(folder, 'state');
  const strategies = 'strategies: [{ file: a.ts, pair: USD_BTC_PERP }]';
  await writeFile(config, `version: 1\nmode: paper\nstate: ${state}\n${strategies}\n`);
  const pair = join(state, 'USD_BTC_PERP');
  const blocked = { formatVersion: 1, strategy: 'a', sha256: 'a'.repeat(64), at: 1, silentMs: 2 } as const;
  await writeBlocked(nodeFiles, pair, blocked);
  const { code, document } = await resumed({ journal: undefined, config });
  expect(code).toBe(0);
  expect(document).toMatchObject({ halt: null, resumed: true });
  expect(await isBlocked(nodeFiles, pair)).toBe(false);
  expect((await resumed({ journal: undefined, config })).document).toMatchObject({ resumed: false });
});

it('refuses a folder without a journal, and who does not say who and why', async () => {
  await expect(resumed()).rejects.toMatchObject({ code: 'TICKWRIGHT_E_NO_JOURNAL' });
  await written(HALT);
  await expect(resumed({ by: ' ' })).rejects.toThrow('--by and --reason must say');
  await expect(resumed({ reason: '' })).rejects.toThrow('--by and --reason must say');
  await expect(resumed({ yes: undefined })).rejects.toMatchObject({ code: 'TICKWRIGHT_E_CONFIRM' });
});
