import { expect, it } from 'vitest';
import { watchHalts } from '../../../src/cli/session/halts.js';
import type { Machine } from '../../../src/cli/machine.js';
import { Chronicle, NO_BOT_JOURNAL } from '../../../src/execution/chronicle.js';
import { SILENT } from '../../../src/ports/log.js';
import { MemoryFiles } from '../../support/memory-files.js';
import { VirtualTime } from '../../support/virtual-time.js';

function desk() {
  const time = new VirtualTime();
  const files = new MemoryFiles();
  const machine = {
    clock: time.clock,
    timers: time.timers,
    log: SILENT,
    files,
  } as Partial<Machine> as Machine;
  const write = (text: string) => files.set('/bot/HALT', new TextEncoder().encode(text));
  return { time, files, machine, write, chronicle: new Chronicle(NO_BOT_JOURNAL) };
}

it('a HALT file that is there at the start is in the journal before anything is begun', async () => {
  const { machine, write, chronicle } = desk();
  write('cancel the news');
  const halts = await watchHalts(machine, '/bot', chronicle);
  expect(chronicle.books.halt).toBe('cancel');
  halts.stop();
});

it('a HALT file that comes later is left to the execution, until the session ends', async () => {
  const { time, machine, write, chronicle } = desk();
  const halts = await watchHalts(machine, '/bot', chronicle);
  const heard: string[] = [];
  halts.actOn({ halt: (...words) => heard.push(words.join(', ')) });
  write('pause');
  await time.advance(1_000);
  expect(heard).toEqual(['pause, no reason given, HALT file /bot/HALT']);
  halts.stop();
  await time.advance(5_000);
  expect(heard).toHaveLength(1);
});

it('nothing is watched without a folder', async () => {
  const { time, machine, write, chronicle } = desk();
  write('cancel');
  await watchHalts(machine, undefined, chronicle);
  await time.advance(5_000);
  expect(chronicle.books.halt).toBeUndefined();
});
