/** What a search says of its holdout where it cannot look at it. */
import { describe, expect, it } from 'vitest';
import type { HoldoutEvent } from '../../../src/backtest/holdouts.js';
import type { Machine } from '../../../src/cli/machine.js';
import { lookAt } from '../../../src/cli/optimize/best-run.js';
import type { Ground } from '../../../src/cli/optimize/ground.js';
import type { OpenSeal } from '../../../src/cli/optimize/under-seal.js';
import { holdoutJson, holdoutLines } from '../../../src/cli/view/holdout-view.js';
import { MemoryFiles } from '../../support/memory-files.js';

const PAIR = 'USD_BTC_PERP';
const HOLDOUT = { from: Date.UTC(2024, 7, 8), to: Date.UTC(2024, 7, 9) };
const UNREADABLE = new Error('EACCES: the notes cannot be read');
const UNWRITABLE = new Error('ENOSPC: no room for a note');
const SEEN: HoldoutEvent = {
  event: 'seen',
  pair: PAIR,
  ...HOLDOUT,
  strategy: 'other',
  runId: '0123456789abcdef',
};

/** Without anything to run: nobody comes as far as that here. */
async function look(ledger: readonly HoldoutEvent[] | Error, open: OpenSeal | undefined) {
  const files = new MemoryFiles();
  files.readText = () =>
    ledger instanceof Error
      ? Promise.reject(ledger)
      : Promise.resolve(ledger.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const ground = { machine: { files } as unknown as Machine, pair: PAIR } as Ground;
  const plan = { pair: PAIR, strategy: 'demo', holdout: HOLDOUT } as Parameters<typeof lookAt>[2];
  const facts = await lookAt(ground, { texts: {} } as Parameters<typeof lookAt>[1], plan, open);
  const [, title = '', why] = holdoutLines(facts);
  return { json: holdoutJson(facts, 'pnl'), title: title.replace(/^holdout .*? to .*?: /, ''), why };
}

const unwritable: OpenSeal = () => Promise.reject(UNWRITABLE);

describe('a holdout', () => {
  it('that is kept sealed is sealed, and nobody looked unless it is written down', async () => {
    expect(await look([], undefined)).toEqual({
      json: { ...HOLDOUT, state: 'sealed', seenBefore: [] },
      title: 'sealed, and nobody looked',
      why: undefined,
    });
    expect((await look([SEEN], undefined)).title).toMatch(/^sealed, though it was seen before, by 1 run: /);
  });

  it('that was to be opened, and was not, is called neither sealed nor opened', async () => {
    expect(await look([], unwritable)).toEqual({
      json: { ...HOLDOUT, state: 'unopened', seenBefore: [], failed: UNWRITABLE.message },
      title: 'not opened',
      why: `  no result: ${UNWRITABLE.message}`,
    });
    const seen = await look([SEEN], unwritable);
    expect(seen.title).toMatch(/^not opened, though it was seen before, by 1 run: /);
    expect(seen.json).toMatchObject({ seenBefore: [{ strategy: 'other', runId: '0123456789abcdef' }] });
  });

  it.each<[string, OpenSeal | undefined, string, string]>([
    ['was to be opened', unwritable, 'unopened', 'not opened'],
    ['is kept sealed', undefined, 'sealed', 'sealed'],
  ])('that %s is not said to be unseen where it cannot be read who looked', async (_, open, state, title) => {
    expect(await look(UNREADABLE, open)).toEqual({
      json: { ...HOLDOUT, state, seenBefore: null, failed: UNREADABLE.message },
      title: `${title}; who looked before could not be read`,
      why: `  no result: ${UNREADABLE.message}`,
    });
  });
});
