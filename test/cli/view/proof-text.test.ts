import { expect, it } from 'vitest';
import { proofText } from '../../../src/cli/view/proof-text.js';
import type { CloseOrder, StopProof } from '../../../src/runner/stop/stop-proof.js';

function closing(closes: readonly Omit<CloseOrder, 'intent'>[]): readonly string[] {
  const proof: StopProof = {
    schemaVersion: 1,
    level: 'flat',
    by: 'a test',
    reason: 'to see',
    startedAt: 0,
    endedAt: 1,
    proven: false,
    pairs: [
      {
        pair: 'USD_BTC_PERP',
        proven: false,
        unproven: ['that the position is flat: 0.05 BTC are held'],
        state: 'SYNCED',
        canceled: [],
        foreign: [],
        emptyScans: 2,
        position: { before: '0.1', after: '0.05' },
        closes: closes.map((each, at) => ({ intent: at + 1, ...each })),
        unattributed: [],
      },
    ],
  };
  return proofText(proof, undefined)
    .split('\n')
    .filter((line) => line.startsWith('  closing: '));
}

it('says once, with a count, what became of several closing orders in a row', () => {
  const filled = { side: 'sell', quantity: '0.05', outcome: 'filled' } as const;
  const refused = { ...filled, outcome: 'rejected: not enough balance' } as const;
  expect(closing([filled, ...Array.from({ length: 29 }, () => refused), filled])).toEqual([
    '  closing: sell 0.05 reduce-only, filled',
    '  closing: sell 0.05 reduce-only, rejected: not enough balance (29 times)',
    '  closing: sell 0.05 reduce-only, filled',
  ]);
  expect(closing([])).toEqual([]);
});
