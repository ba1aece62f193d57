/** Sessions over real HTTP, recorded and written down, and what can be said of their orders afterwards. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { momentOf } from '../../../src/cli/commands/why-not.js';
import { type BotFolder, botFolders, intentOfSession } from '../../../src/cli/journal/bot-folders.js';
import { searchIntent } from '../../../src/cli/journal/intent-search.js';
import { openJournalFolder, readableParts } from '../../../src/cli/journal/journal.js';
import { recordedSpans, traceSession } from '../../../src/cli/replay/traced-session.js';
import { storySteps } from '../../../src/cli/replay/why.js';
import { noSession, whyNot } from '../../../src/cli/replay/why-not.js';
import { thisMachine } from '../../../src/cli/machine.js';
import type { IntentKey, JournalRecord } from '../../../src/model/journal-record.js';
import { intentStory } from '../../../src/storage/journal/journal-story.js';
import { httpSession, type HttpSessionOptions } from '../../support/http-session.js';

const machine = thisMachine('error');
let root: string;
let maker: BotFolder;
let idler: BotFolder;
let greedy: BotFolder;
let records: JournalRecord[];

const IDLER = `import { defineStrategy } from 'tickwright';
export default defineStrategy({ name: 'idler', create: () => ({ onTrade: () => undefined }) });`;
const GREEDY = `import { defineStrategy, holdPosition } from 'tickwright';
export default defineStrategy({ name: 'greedy', create: () => ({ onTrade: () => holdPosition('0.5') }) });`;

async function sessionOf(
  name: string,
  strategy: string,
  { forMs, least }: Pick<HttpSessionOptions, 'forMs' | 'least'>,
): Promise<BotFolder> {
  const folder = join(root, name);
  await httpSession({ folder, forMs, least, strategy, pollMs: 50 });
  const [found] = await botFolders(machine, { journal: folder });
  if (found === undefined) throw new Error('there must be a folder');
  return found;
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tickwright-why-'));
  const file = (name: string) => join(root, name);
  await cp('strategies/market-maker.ts', file('maker.ts'));
  await writeFile(file('idler.ts'), IDLER);
  await writeFile(file('greedy.ts'), GREEDY);
  [maker, idler, greedy] = await Promise.all([
    sessionOf('maker', file('maker.ts'), { forMs: 6_000, least: { polls: 60, orders: 8, fills: 1 } }),
    sessionOf('idler', file('idler.ts'), { forMs: 1_500, least: { polls: 20 } }),
    sessionOf('greedy', file('greedy.ts'), { forMs: 1_500, least: { polls: 20 } }),
  ]);
  records = await recordsOf(maker);
});
afterAll(() => rm(root, { recursive: true }));

async function recordsOf({ journal }: BotFolder): Promise<JournalRecord[]> {
  const found: JournalRecord[] = [];
  for await (const { entries } of readableParts(
    machine.files,
    await openJournalFolder(machine.files, journal),
  )) {
    found.push(...entries.map(({ record }) => record));
  }
  return found;
}

async function storyOf(folder: BotFolder, intent: IntentKey) {
  const journal = await openJournalFolder(machine.files, folder.journal);
  const search = await searchIntent(machine.files, journal, intent);
  const story = intentStory(search.entries, search.intent, search.grid);
  if (story === undefined) throw new Error(`${intent} must be in the journal`);
  return { story, ...(await storySteps(machine, folder, story)) };
}

const prepOf = (intent: IntentKey) =>
  records.find((record) => record.kind === 'prep' && record.intent === intent) as Extract<
    JournalRecord,
    { kind: 'prep' }
  >;

async function answerAt(folder: BotFolder, at: number) {
  const spans = await recordedSpans(machine, folder.capture);
  const span = spans.findLast(({ from }) => from <= at);
  if (span === undefined) return noSession(spans, at);
  return whyNot(await traceSession(machine, span.directory, { wall: at }), at);
}

async function endOf(folder: BotFolder): Promise<{ readonly from: number; readonly to: number }> {
  const [span] = await recordedSpans(machine, folder.capture);
  if (span === undefined) throw new Error('there must be a recorded session');
  return traceSession(machine, span.directory, {});
}

/** What is said of the last moment at which the venue and the books were in order: its faults come at any time. */
async function answerInOrder(folder: BotFolder) {
  const { from, to } = await endOf(folder);
  const stepMs = (to - from) / 20;
  for (let at = to; at > from; at -= stepMs) {
    const chain = await answerAt(folder, Math.floor(at));
    if (chain.some(({ gate }) => gate === 'want')) return chain;
  }
  throw new Error('the session must have been in order at some time');
}

describe('why', () => {
  it('tells each order that was filled from what came in to its end, in order', async () => {
    const filled = records
      .filter((record) => record.kind === 'fill')
      .map(({ intent }) => intent as IntentKey);
    expect(filled.length).toBeGreaterThan(0);
    for (const intent of new Set(filled.slice(0, 3))) {
      const { steps, market } = await storyOf(maker, intent);
      expect(steps.slice(0, 5).map(({ step }) => step)).toEqual([
        'input',
        'want',
        'gate',
        'journal',
        'request',
      ]);
      const [input, want, gate, journal] = steps.map(({ text }) => text);
      const { terms } = prepOf(intent);
      const price = (terms.ticks ?? 0) / (market?.priceGrid.scale ?? 1);
      expect(input).toMatch(/^input \d+: /);
      expect(want).toContain('the strategy wanted');
      expect(want).toContain(`${terms.side} ${terms.lots / 1_000}`);
      expect(want).toContain(String(price));
      expect(gate).toMatch(/max-position \S+ of 0\.05/);
      expect(gate).toMatch(/max-open-orders \d+ of 20/);
      expect(journal).toContain(String(price));
      const fills = steps.filter(({ step }) => step === 'fill');
      expect(fills.length).toBeGreaterThan(0);
      for (const { text } of fills) expect(text).toContain(String(price));
    }
  });

  it('tells the same of an order whose recording is gone, but for what the session saw', async () => {
    const { intent } = records.find((record) => record.kind === 'prep') as { readonly intent: IntentKey };
    const { steps } = await storyOf({ ...maker, capture: join(root, 'nowhere') }, intent);
    expect(steps[0]).toMatchObject({ step: 'missing' });
    expect(steps.slice(1, 3).map(({ step }) => step)).toEqual(['journal', 'request']);
    expect(steps[1]?.text).toContain(` ${prepOf(intent).terms.lots / 1_000} @ `);
  });

  it('knows session and number of an intent', () => {
    expect(intentOfSession('tw-00ff-12')).toEqual({ session: 'tw-00ff', intentId: 12 });
    expect(intentOfSession('12345')).toBeUndefined();
  });
});

describe('why-not', () => {
  it('says that no session ran yet', async () => {
    const { from } = await endOf(maker);
    const chain = await answerAt(maker, from - 60_000);
    expect(chain).toMatchObject([{ gate: 'session', verdict: 'no' }]);
    expect(chain[0]?.text).toContain('no session ran yet');
  });

  it('says that the session had ended, and when', async () => {
    const { to } = await endOf(maker);
    const chain = await answerAt(maker, to + 600_000);
    expect(chain.at(-1)).toMatchObject({ gate: 'session', verdict: 'no' });
    expect(chain.at(-1)?.text).toContain('10m before');
    // It ended in order, so that its end is known: no order was there a moment later.
    const after = await answerAt(maker, to + 1_000);
    expect(after).toMatchObject([{ gate: 'session', verdict: 'no' }]);
    expect(after[0]?.text).toContain('it ended in order at');
  });

  it('is not asked of a folder that is no bot', async () => {
    const asked = botFolders(machine, { journal: join(root, 'nowhere') });
    await expect(asked).rejects.toMatchObject({ code: 'TICKWRIGHT_E_NO_JOURNAL' });
  });

  it('says that it was still starting', async () => {
    const { from } = await endOf(maker);
    const chain = await answerAt(maker, from + 1);
    expect(chain.at(-1)).toMatchObject({ gate: 'start', verdict: 'no' });
  });

  it('says that the strategy wanted nothing, with what it had seen', async () => {
    const chain = await answerInOrder(idler);
    expect(chain.at(-1)).toMatchObject({ gate: 'want', verdict: 'no' });
    expect(chain.at(-1)?.text).toMatch(/never wanted anything; the last trade was \d/);
  });

  it('says which rule refused it, with both numbers', async () => {
    const chain = await answerInOrder(greedy);
    expect(chain.at(-1)).toMatchObject({ gate: 'limits', verdict: 'no' });
    expect(chain.at(-1)?.text).toContain('resulting position must be at most 0.05, received 0.5');
  });

  it('names the order, where there is one', async () => {
    const preps = records.filter((record) => record.kind === 'prep');
    const sent: string[] = [];
    // One that left after the strategy had changed its mind is no answer to what it wanted then.
    for (const { wall } of preps.slice(0, 8)) {
      const answer = (await answerAt(maker, wall + 1)).at(-1);
      if (answer?.gate === 'sent') sent.push(answer.text);
    }
    expect(sent.length).toBeGreaterThan(0);
    for (const text of sent) {
      const named = preps.find(({ intent }) => text.startsWith(`there was one: ${intent} `));
      expect(text).toContain(`${named?.terms.side} 0.01 @ `);
    }
  });

  it.each([
    ['14:02', Date.UTC(2026, 10, 21, 14, 2)],
    ['14:02:30', Date.UTC(2026, 10, 21, 14, 2, 30)],
    ['2026-11-20T08:00Z', Date.UTC(2026, 10, 20, 8)],
    ['1700000000000', 1_700_000_000_000],
  ])('takes %s for a time', (text, time) => {
    expect(momentOf(text, Date.UTC(2026, 10, 21, 20, 0, 0))).toBe(time);
  });

  it.each(['24:00', '1:60', 'noon'])('takes %s for none', (text) => {
    expect(() => momentOf(text, 0)).toThrow('--at must be a time like');
  });
});
