/**
 * Each scenario's golden file says what `attach --plan` shows between two lives, and what the second life then does.
 * They are read by people: write them anew with GOLDEN=write, and look at each line that changed.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { JournalRecord } from '../../../src/model/journal-record.js';
import type { AttachPlan } from '../../../src/runner/attach-plan.js';
import { readAttachPlan } from '../../../src/runner/read-attach-plan.js';
import { BTC } from '../../support/markets.js';
import { RestartDesk } from '../../support/restart-desk.js';
import { type Scenario, SCENARIOS } from './scenarios.js';

const FOLDER = fileURLToPath(new URL('golden/', import.meta.url));
/** Past every bound: of late execution, of patience with a contradiction. */
const REST_MS = 300_000;
const isWriting = process.env['GOLDEN'] === 'write';

async function planOf(desk: RestartDesk, { policy }: Scenario): Promise<AttachPlan> {
  const { firstStart = 'adopt', external = 'quarantine' } = policy;
  const reading = readAttachPlan({
    api: desk.venue,
    books: desk.journal.books(),
    market: BTC,
    policy: { echo: true, firstStart, external },
    lists: ['active', 'all'],
    limit: 100,
    visibilityMs: 0,
    clock: desk.time.clock,
    timers: desk.time.timers,
  });
  return (await desk.time.until(reading)).plan;
}

/** One line for each record that is news about orders and positions. */
function lineOf(record: JournalRecord): string | undefined {
  switch (record.kind) {
    case 'out':
      return `${record.intent} is ${record.outcome}`;
    case 'adopt':
      return `${record.intent} has order ${record.orderId}, ${record.as}`;
    case 'verdict':
      return `${record.intent} is judged ${record.verdict}`;
    case 'fill':
      return `fill ${record.fill.id} of ${record.intent ?? 'nobody here'}: ${record.fill.side} ${record.fill.lots} lots`;
    case 'cancel':
      return `order ${record.orderId} is to be canceled`;
    case 'end':
      return `order ${record.orderId} has ended: ${record.status}, ${record.filled} lots filled`;
    case 'checkpoint':
      return `the position is ${record.position} lots by ${record.by}`;
    case 'halt':
      return `halt ${record.level} by ${record.by}`;
    default:
      return undefined;
  }
}

function planText({ journal, venue, differences }: AttachPlan): string {
  const some = (ids: readonly string[]) => (ids.length === 0 ? 'none' : ids.join(' '));
  return [
    `journal: position ${journal.position ?? 'unknown'}, open orders ${some(journal.openOrders)}, in doubt ${some(journal.doubts)}`,
    `venue: position ${venue.position}, active orders ${some(venue.activeOrders)}, unbooked fills ${some(venue.unbookedFills)}`,
    ...(differences.length === 0 ? ['no differences'] : []),
    ...differences.map(
      ({ kind, subject, evidence, action, endedBy }) =>
        `${kind} ${subject} (ended by ${endedBy})\n    ${evidence}\n    -> ${action}`,
    ),
  ].join('\n');
}

const writes = (desk: RestartDesk) => desk.venue.calls.filter(({ kind }) => /place|cancel/.test(kind)).length;

async function play(scenario: Scenario): Promise<{ text: string; left: AttachPlan }> {
  const desk = new RestartDesk();
  await scenario.crash(desk);
  await scenario.meanwhile(desk);
  const [recordsBefore, writesBefore] = [desk.journal.records.length, writes(desk)];
  const plan = await planOf(desk, scenario);
  // A plan is a look: nothing is sent, nothing is written.
  expect([desk.journal.records.length, writes(desk)]).toEqual([recordsBefore, writesBefore]);

  const life = desk.begin(scenario.policy);
  await desk.time.advance(REST_MS);
  const { state, permission, reason } = life.execution.state();
  const position = life.execution.position ?? 'unknown';
  life.kill();
  const news = desk.journal.records.slice(recordsBefore).flatMap((record) => lineOf(record) ?? []);
  const left = await planOf(desk, scenario);
  const text = [
    planText(plan),
    '',
    `start: ${state}, ${permission}: ${reason}; position ${position}`,
    ...news.map((line) => `  ${line}`),
    '',
    left.differences.length === 0
      ? 'left: nothing'
      : `left: ${left.differences.map(({ kind, subject }) => `${kind} ${subject}`).join(', ')}`,
    '',
  ].join('\n');

  // The next start has nothing to do.
  const [recordsThen, writesThen] = [desk.journal.records.length, writes(desk)];
  const again = desk.begin(scenario.policy);
  await desk.time.advance(REST_MS);
  const kinds = desk.journal.records.slice(recordsThen).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind !== 'state')).toEqual(['start']);
  expect(writes(desk)).toBe(writesThen);
  expect(again.execution.state()).toMatchObject({ state, permission });
  expect(again.execution.position ?? 'unknown').toBe(position);
  again.kill();
  expect(await planOf(desk, scenario)).toEqual({
    ...left,
    journal: { ...left.journal, session: again.session },
  });
  return { text, left };
}

describe('a restart', () => {
  test.each(SCENARIOS)('after $name does what its plan says, once', async (scenario) => {
    const { text, left } = await play(scenario);
    const file = `${FOLDER}${scenario.name}.txt`;
    if (isWriting) writeFileSync(file, text);
    expect(existsSync(file), `${file} is written with GOLDEN=write`).toBe(true);
    expect(text).toBe(readFileSync(file, 'utf8'));
    // What a start ends has ended.
    expect(left.differences.filter(({ endedBy }) => endedBy === 'start')).toEqual([]);
  });

  test('is played for every golden file, and for thirty scenarios at least', () => {
    const names = SCENARIOS.map(({ name }) => `${name}.txt`).sort();
    expect(readdirSync(FOLDER).sort()).toEqual(names);
    expect(names.length).toBeGreaterThanOrEqual(30);
    expect(new Set(names).size).toBe(names.length);
  });
});
