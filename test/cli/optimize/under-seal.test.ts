/** What a search says that fails before it has looked at its holdout. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addHoldoutEvent, readHoldouts } from '../../../src/backtest/holdouts.js';
import { RUNS_FOLDER } from '../../../src/cli/backtest/backtest-run.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { underSeal } from '../../../src/cli/optimize/under-seal.js';
import { folder } from '../../storage/support.js';
import { type CapturedOutput, captureOutput } from '../../support/captured-output.js';

const HOLDOUT = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 2) };
const OWN = { pair: 'USD_BTC_PERP', strategy: 'demo' };

const before = process.cwd();
let printed: CapturedOutput;
beforeEach(async () => {
  process.chdir(await folder());
  printed = captureOutput();
});
afterEach(() => process.chdir(before));

async function failing(): Promise<void> {
  const { files, entropy } = thisMachine();
  const holdouts = await readHoldouts(files, RUNS_FOLDER);
  const plan = { ...OWN, holdout: HOLDOUT, holdouts, keepSealed: false };
  await expect(underSeal({ files, entropy }, plan, () => Promise.reject(new Error('boom')))).rejects.toThrow(
    'boom',
  );
}

it('takes its seal back, and nothing is sealed then', async () => {
  await failing();
  expect(printed.err).toContain('is not sealed any more: the search did not look at it');
});

it('leaves the seal of another one, and says whose that is', async () => {
  const { files } = thisMachine();
  await addHoldoutEvent(files, RUNS_FOLDER, {
    event: 'sealed',
    pair: OWN.pair,
    strategy: 'other',
    ...HOLDOUT,
    runId: null,
  });
  await failing();
  expect(printed.err).toContain('stays sealed as before, by other: the search did not look at it');
});
