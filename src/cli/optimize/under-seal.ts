/** Runs a search whose holdout nobody may look at before its end. */
import { addHoldoutEvent, type HoldoutEvent, type Holdouts, readHoldouts } from '../../backtest/holdouts.js';
import type { Stretch } from '../../backtest/search/stretches.js';
import { exitNow } from '../../platform/process.js';
import { RUNS_FOLDER } from '../backtest/backtest-run.js';
import { sayBroken } from '../backtest/holdout-gate.js';
import { stopRequest } from '../session/stop-request.js';
import { SIGNAL_EXIT } from '../exit-code.js';
import type { Machine } from '../machine.js';
import { reasonText } from '../report-error.js';
import { momentText } from '../view/moment.js';
import { say } from '../view/output.js';

export interface SealPlan extends Pick<HoldoutEvent, 'pair' | 'strategy'> {
  readonly holdout: Stretch;
  readonly holdouts: Holdouts;
  /** Whether the holdout stays sealed after the search, whatever its result. */
  readonly keepSealed: boolean;
}

/**
 * Notes that a run looks at the holdout: with `null` before it begins, as its error could already reveal what it saw,
 * and with its id when it is over. `undefined` if no run is to look.
 */
export type OpenSeal = (runId: string | null) => Promise<void>;

/**
 * Runs a search with a sealed holdout. If the search ends before it has opened the seal, by an error, or by Ctrl-C,
 * SIGTERM or SIGHUP, which end the process, the seal is taken back, unless `keepSealed`. A holdout that was completely
 * opened before is not one any more, and must be sealed again to become one.
 */
export async function underSeal<T>(
  machine: Pick<Machine, 'files' | 'entropy'>,
  plan: SealPlan,
  search: (open: OpenSeal | undefined) => Promise<T>,
): Promise<T> {
  const { pair, strategy, holdout, holdouts, keepSealed } = plan;
  const note = (event: Pick<HoldoutEvent, 'event' | 'runId' | 'search' | 'look'>) =>
    addHoldoutEvent(machine.files, RUNS_FOLDER, { ...event, pair, ...holdout, strategy });
  const id = Buffer.from(machine.entropy.bytes(8)).toString('hex');
  const open: OpenSeal = async (runId) => {
    // Reads the current state, because others may have sealed it while the search was running.
    const now = await readHoldouts(machine.files, RUNS_FOLDER);
    const broken = now.sealedByOthers({ pair, strategy, ...holdout });
    await note({ event: 'opened', runId, look: id });
    for (const sealed of broken) await sayBroken(sealed);
  };
  if (keepSealed) {
    await note({ event: 'sealed', runId: null });
    return search(undefined);
  }
  const isOpen = holdouts
    .openedBy(pair, holdout)
    .some(({ from, to }) => from <= holdout.from && to >= holdout.to);
  if (isOpen) return search(open);

  const own = { runId: null, search: id };
  let isSealed = false;
  let isOpened = false;
  const stop = stopRequest();
  try {
    const sealed = note({ event: 'sealed', ...own }).then(() => {
      isSealed = true;
    });
    void stop.requested.then(async (signal) => {
      await sealed.catch(() => undefined);
      await takeBack();
      exitNow(SIGNAL_EXIT[signal]);
    });
    await sealed;
    return await search(async (runId) => {
      await open(runId);
      isOpened = true;
    });
  } catch (error) {
    await takeBack();
    throw error;
  } finally {
    stop.release();
  }

  async function takeBack(): Promise<void> {
    if (!isSealed) return;
    const what = `the holdout of ${pair}, ${momentText(holdout.from)} to ${momentText(holdout.to)},`;
    if (isOpened) return say(`${what} was opened all the same`);
    try {
      await note({ event: 'released', ...own });
      const left = (await readHoldouts(machine.files, RUNS_FOLDER)).sealedIn(pair, holdout);
      const others = [...new Set(left.map((seal) => seal.strategy))];
      const still =
        others.length === 0 ? 'is not sealed any more' : `stays sealed as before, by ${others.join(', ')}`;
      await say(`${what} ${still}: the search did not look at it`);
    } catch (error) {
      await say(
        `warning: ${what} stays sealed, since nothing else can be written down: ${reasonText(error)}`,
      );
    }
  }
}
