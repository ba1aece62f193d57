/** A fall from the highest equity, from its trip through the command that ends it to the next start. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resume } from '../../../src/cli/commands/resume.js';
import { systemClock } from '../../../src/platform/clock.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { systemTimers } from '../../../src/platform/timers.js';
import { readJournal } from '../../../src/storage/journal/journal-reader.js';
import { JournalWriter } from '../../../src/storage/journal/journal-writer.js';
import { defineStrategy } from '../../../src/strategy/definition.js';
import { holdPosition } from '../../../src/strategy/want.js';
import { startLive } from '../../runner/live-desk.js';
import { world } from '../../simulation/world/desk.js';
import { MemoryJournal } from '../../support/restart-desk.js';

const WHO = { by: 'anna', reason: 'seen' } as const;
/** The fee of one lot at 60 000 is 0.036: it trips at once. */
const limits = { maxDrawdown: 0.03 };
let folder: string;

beforeEach(async () => {
  folder = await nodeFiles.temporaryDirectory('drawdown-');
});
afterEach(() => nodeFiles.remove(folder));

/** Holds what it is told. */
function holder() {
  const wish = { lots: '0' };
  const strategy = defineStrategy({
    name: 'holder',
    create: () => ({ onTrade: () => holdPosition(wish.lots) }),
  });
  return { wish, strategy };
}

/** What the command does to a journal of these records. */
async function afterCommand(journal: MemoryJournal): Promise<{ code: number; journal: MemoryJournal }> {
  const directory = join(folder, 'journal');
  const parts = { directory, files: nodeFiles, timers: systemTimers, clock: systemClock, ballastBytes: 0 };
  const { journal: file } = await JournalWriter.open(parts);
  for (const record of journal.records) file.append(record, 'durable');
  await file.close();
  const silent = vi.spyOn(process.stdout, 'write').mockImplementation((_, ...rest: unknown[]) => {
    (rest.at(-1) as () => void)();
    return true;
  });
  const code = await resume({ journal: folder, ...WHO, yes: true, json: true }).finally(() =>
    silent.mockRestore(),
  );
  const after = new MemoryJournal();
  for (const { record } of (await readJournal(nodeFiles, directory)).records) after.append(record, 'durable');
  return { code, journal: after };
}

const haltsIn = (journal: MemoryJournal) =>
  journal.records.flatMap((record) => (record.kind === 'halt' ? [`${record.level} ${record.by}`] : []));

describe('a fall from the highest equity that reached its bound', () => {
  it('is halted, so that resume ends it for the next start', async () => {
    const at = world();
    const first = new MemoryJournal();
    const { wish, strategy } = holder();
    const one = await startLive(at, first, { name: 'one', strategy, limits });
    wish.lots = '0.001';
    await at.scheduler.runUntil(60_000);
    expect(one.bot.core.risk.drawdown?.tripped).toBe(true);
    expect(haltsIn(first)).toEqual(['pause max-drawdown']);
    expect(one.session.state).toMatchObject({ permission: 'reduce-only' });
    expect(one.session.state?.reason).toMatch(/reached the 0\.03 USD of limits\.maxDrawdown/);
    await one.stop();

    const { code, journal } = await afterCommand(first);
    expect(code).toBe(0);
    expect(journal.records.at(-1)).toMatchObject({ kind: 'resume', by: 'anna' });
    const two = await startLive(at, journal, { name: 'two', strategy, limits: { maxDrawdown: 1_000 } });
    expect(two.session.state).toMatchObject({ permission: 'all' });
    wish.lots = '0.002';
    await at.scheduler.runUntil(at.scheduler.now + 30_000);
    expect(two.bot.core.engine.position.lots).toBe(2);
    await two.stop();
  });

  it('of a version that did not halt is halted by the next start', async () => {
    const journal = new MemoryJournal();
    const memory = { peak: '200000', fell: true, losses: 0, pausedUntil: 0 };
    journal.append(
      { kind: 'baseline', day: '2020-01-01', equity: '1', tripped: false, memory, wall: 1 },
      'durable',
    );
    const at = world();
    const { strategy } = holder();
    await startLive(at, journal, { name: 'one', strategy, limits });
    expect(haltsIn(journal)).toEqual(['pause max-drawdown']);
  });

  it('is over for a bot that runs as soon as somebody resumes it, and stays so', async () => {
    const at = world();
    const journal = new MemoryJournal();
    const { wish, strategy } = holder();
    const { session, bot } = await startLive(at, journal, { name: 'one', strategy, limits });
    wish.lots = '0.001';
    await at.scheduler.runUntil(60_000);
    expect(bot.core.risk.drawdown?.tripped).toBe(true);
    const peak = journal.books().baseline?.memory?.peak;
    session.resume(WHO.reason, WHO.by);
    expect(bot.core.risk.drawdown?.tripped).toBe(false);
    await at.scheduler.runUntil(63_000);
    // What is told from here on counts from what there was then.
    const memory = journal.books().baseline?.memory;
    expect(memory).toMatchObject({ fell: false });
    expect(Number(memory?.peak)).toBeLessThan(Number(peak));
    expect(haltsIn(journal)).toHaveLength(1);
  });

  it('lets what was wanted all the time leave as soon as somebody resumes it', async () => {
    const at = world();
    const { wish, strategy } = holder();
    const { session, bot } = await startLive(at, new MemoryJournal(), { name: 'one', strategy, limits });
    wish.lots = '0.001';
    await at.scheduler.runUntil(60_000);
    wish.lots = '0.002';
    await at.scheduler.runUntil(200_000);
    expect(bot.core.risk.drawdown?.tripped).toBe(true);
    expect(bot.core.engine.position.lots).toBe(1);
    const { orders } = bot.core.counts;
    session.resume(WHO.reason, WHO.by);
    expect(bot.core.counts.orders).toBe(orders + 1);
  });
});
