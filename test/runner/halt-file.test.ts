import { describe, expect, test } from 'vitest';
import type { HaltLevel } from '../../src/model/journal-record.js';
import { SILENT } from '../../src/ports/log.js';
import { HaltFile, parseHalt } from '../../src/runner/halt-file.js';
import { MemoryFiles } from '../support/memory-files.js';
import { RestartDesk } from '../support/restart-desk.js';
import { VirtualTime } from '../support/virtual-time.js';
import { placeOf } from '../execution/harness.js';

const PATH = '/bot/HALT';
const write = (files: MemoryFiles, text: string) => files.set(PATH, new TextEncoder().encode(text));

function desk(latched?: HaltLevel) {
  const time = new VirtualTime();
  const files = new MemoryFiles();
  const halts: string[] = [];
  let halted = latched;
  const file = new HaltFile({
    files,
    timers: time.timers,
    log: SILENT,
    path: PATH,
    halted: () => halted,
    halt: (level, reason, by) => {
      halted = level;
      halts.push(`${level}: ${reason} (${by})`);
    },
  });
  return { time, files, halts, file, resume: () => (halted = undefined) };
}

describe('a HALT file', () => {
  test.each([
    ['', 'pause', 'no reason given'],
    ['\n', 'pause', 'no reason given'],
    ['pause', 'pause', 'no reason given'],
    ['cancel', 'cancel', 'no reason given'],
    ['CANCEL: too many orders\n', 'cancel', 'too many orders'],
    ['pause because of\nthe news', 'pause', 'because of the news'],
    ['stop it!', 'pause', 'stop it!'],
    ['cancellation is not a level', 'pause', 'cancellation is not a level'],
  ])('that says %j means %s', (text, level, reason) => {
    expect(parseHalt(text)).toEqual({ level, reason });
  });

  test('halts within a second of its appearance, and once', async () => {
    const { time, files, halts, file } = desk();
    await file.watch();
    await time.advance(5_000);
    expect(halts).toEqual([]);
    write(files, 'cancel enough');
    await time.advance(1_000);
    expect(halts).toEqual([`cancel: enough (HALT file ${PATH})`]);
    await time.advance(10_000);
    expect(halts).toHaveLength(1);
  });

  test('that was there before counts before anything else is done', async () => {
    const { files, halts, file } = desk();
    write(files, '');
    await file.watch();
    expect(halts).toEqual([`pause: no reason given (HALT file ${PATH})`]);
  });

  test('makes a halt stronger, never weaker', async () => {
    const { time, files, halts, file } = desk('pause');
    write(files, 'pause');
    await file.watch();
    expect(halts).toEqual([]);
    write(files, 'cancel');
    await time.advance(1_000);
    write(files, 'pause');
    await time.advance(1_000);
    expect(halts).toEqual([`cancel: no reason given (HALT file ${PATH})`]);
  });

  test('halts again what was resumed while it is there, and nothing once it is gone', async () => {
    const { time, files, halts, file, resume } = desk();
    write(files, 'pause');
    await file.watch();
    resume();
    await time.advance(1_000);
    expect(halts).toHaveLength(2);
    await files.remove(PATH);
    resume();
    await time.advance(5_000);
    expect(halts).toHaveLength(2);
  });

  test('that cannot be read, or is a book, pauses', async () => {
    const { files, halts, file } = desk();
    write(files, 'cancel');
    files.readText = () => Promise.reject(new Error('EACCES'));
    await file.look();
    expect(halts).toEqual([`pause: no reason given (HALT file ${PATH})`]);
    const other = desk();
    write(other.files, `cancel ${'x'.repeat(70_000)}`);
    await other.file.look();
    expect(other.halts).toEqual([`pause: no reason given (HALT file ${PATH})`]);
  });

  test('is not known to be there while the disk does not answer, and is looked for again', async () => {
    const { time, files, halts, file } = desk();
    const stat = files.stat.bind(files);
    files.stat = () => Promise.reject(new Error('EIO'));
    await file.watch();
    write(files, 'pause');
    await time.advance(2_000);
    expect(halts).toEqual([]);
    files.stat = stat;
    await time.advance(1_000);
    expect(halts).toHaveLength(1);
  });

  test('is not looked at any more once the watch is stopped', async () => {
    const { time, files, halts, file } = desk();
    await file.watch();
    file.stop();
    write(files, 'pause');
    await time.advance(5_000);
    expect(halts).toEqual([]);
    expect(time.pending).toBe(0);
  });

  test('cancels at once, holds through restarts, and ends by a resume only', async () => {
    const bots = new RestartDesk();
    const files = new MemoryFiles();
    const life = await bots.start();
    const watch = (of: typeof life) =>
      new HaltFile({
        files,
        timers: bots.time.timers,
        log: SILENT,
        path: PATH,
        halted: () => of.chronicle.books.halt,
        halt: (level, reason, by) => of.execution.halt(level, reason, by),
      });
    const first = watch(life);
    await first.watch();
    life.execution.send(placeOf(1));
    await bots.time.advance(100);
    write(files, 'cancel the news');
    await bots.time.advance(2_000);
    expect(bots.venue.truth().map(({ status }) => status)).toEqual(['CANCELLED']);
    expect(bots.journal.records.filter(({ kind }) => kind === 'halt')).toEqual([
      expect.objectContaining({ level: 'cancel', reason: 'the news', by: `HALT file ${PATH}` }),
    ]);
    first.stop();
    life.kill();
    await files.remove(PATH);

    const second = await bots.start();
    await bots.time.advance(30_000);
    expect(second.execution.state()).toMatchObject({ state: 'HALTED', permission: 'cancel-only' });
    second.execution.send(placeOf(1));
    await bots.time.advance(100);
    expect(bots.venue.truth()).toHaveLength(1);
    second.execution.resume('read them', 'anna');
    second.execution.send(placeOf(2));
    await bots.time.advance(100);
    expect(bots.venue.truth()).toHaveLength(2);
  });
});
