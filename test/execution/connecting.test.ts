/** Orders whose connection takes long to be made: what happens meanwhile is seen before they leave. */
import { describe, expect, test } from 'vitest';
import type { JournalRecord } from '../../src/model/journal-record.js';
import type { ExecutionReport } from '../../src/model/report.js';
import { type LifeOptions, RestartDesk } from '../support/restart-desk.js';
import { placeOf } from './harness.js';

const CONNECT_MS = 3_000;
const entry = placeOf;
const exit = (intentId: number) => placeOf(intentId, { side: 'sell', reduceOnly: true });

async function connecting(options: LifeOptions = {}) {
  const desk = new RestartDesk();
  const life = await desk.start(options);
  desk.venue.connectMs = CONNECT_MS;
  const { time, venue } = desk;
  const { execution, reports } = life;
  return {
    time,
    venue,
    execution,
    reports,
    /** What was written down about orders. */
    written: () =>
      desk.journal.records.flatMap((record) =>
        record.kind === 'prep' ? ['prep'] : record.kind === 'out' ? [record.outcome] : [],
      ),
  };
}

const ending = (reports: readonly ExecutionReport[]) => reports.at(-1);

describe('while the connection of an order is made', () => {
  test.each(['pause', 'cancel', 'flatten'] as const)('a halt of level %s keeps it here', async (level) => {
    const { time, venue, execution, reports, written } = await connecting();
    execution.send(entry(1));
    await time.advance(CONNECT_MS / 2);
    expect(written()).toEqual(['prep']);
    execution.halt(level, 'enough', 'anna');
    await time.advance(CONNECT_MS);
    expect(venue.truth()).toEqual([]);
    expect(written()).toEqual(['prep', 'not-sent']);
    expect(ending(reports)).toMatchObject({
      kind: 'rejected',
      intentId: 1,
      reason: expect.stringMatching(/^not sent: .*HALTED/) as string,
    });
  });

  test('a halt that lets exits out lets this one out', async () => {
    const { time, venue, execution } = await connecting();
    execution.send(exit(1));
    await time.advance(CONNECT_MS / 2);
    execution.halt('pause', 'enough', 'anna');
    await time.advance(CONNECT_MS);
    expect(venue.truth()).toMatchObject([{ reduceOnly: true }]);
  });

  test('a stop keeps it here, and leaves nothing in doubt', async () => {
    const { time, venue, execution, written } = await connecting();
    execution.send(entry(1));
    await time.advance(CONNECT_MS / 2);
    expect(await time.until(execution.cancelAllOwn(20_000))).toEqual([]);
    expect(venue.truth()).toEqual([]);
    expect(written()).toEqual(['prep', 'not-sent']);
  });

  test('a stop that waits no longer leaves it in doubt, and it does not leave after all', async () => {
    const { time, venue, execution, written } = await connecting();
    execution.send(entry(1));
    await time.advance(CONNECT_MS / 2);
    await time.until(execution.stop(100));
    await time.advance(CONNECT_MS);
    expect(venue.truth()).toEqual([]);
    expect(written()).toEqual(['prep', 'in-doubt']);
  });

  test('what was agreed with the venue grows too old, and then it stays here', async () => {
    const { time, venue, execution, reports } = await connecting({ staleMs: 2_000 });
    execution.send(entry(1));
    venue.fault = (kind) => (kind === 'position' ? 'fail' : undefined);
    await time.advance(CONNECT_MS + 1);
    expect(venue.truth()).toEqual([]);
    expect(ending(reports)).toMatchObject({
      kind: 'rejected',
      reason: expect.stringContaining('nothing was agreed') as string,
    });
  });

  test('nothing happens, and it is written down once, is not too soon after itself, and leaves', async () => {
    let sent = 0;
    const tooSoon = () => (sent === 0 ? undefined : 'one too many');
    const onRecord = ({ kind }: JournalRecord) => void (kind === 'prep' && sent++);
    const { time, venue, execution, written } = await connecting({ tooSoon, onRecord });
    execution.send(entry(1));
    await time.advance(CONNECT_MS + 1);
    expect(venue.truth()).toHaveLength(1);
    expect(written()).toEqual(['prep', 'accepted']);
    expect(execution.stats.placed).toBe(1);
  });
});

test('how late an order may be executed counts from when it left, not from before its connection', async () => {
  const { time, venue, execution, reports } = await connecting({ lateMs: 6_000 });
  venue.fault = (kind) => (kind === 'place' ? 'lost' : undefined);
  execution.send(entry(1));
  const isOver = () => ending(reports)?.kind === 'rejected';
  const begun = time.now;
  while (!isOver()) await time.advance(100);
  expect(time.now - begun).toBeGreaterThanOrEqual(CONNECT_MS + 6_000);
  expect(execution.state().state).toBe('SYNCED');
});
