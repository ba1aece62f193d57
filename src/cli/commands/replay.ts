import { UsageError } from '../../model/errors.js';
import { findBlackBox } from '../replay/recorded-session.js';
import { replayBlackBox } from '../replay/replay.js';
import { diffBlackBox } from '../replay/replay-diff.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import type { Settings } from '../option-values.js';
import { printJson, printText } from '../view/output.js';
import { diffJson, diffText } from '../view/replay-diff-view.js';
import { placeText, replayJson, replayText } from '../view/replay-view.js';

export interface ReplayOptions {
  readonly until?: number | undefined;
  /** Parameters that are to be changed. */
  readonly set?: Settings | undefined;
  readonly diff?: true | undefined;
  readonly json?: true | undefined;
}

export async function replay(path: string, options: ReplayOptions): Promise<ExitCode> {
  const { until, set, diff, json } = options;
  demandBoth(options);
  const machine = thisMachine();
  const directory = await findBlackBox(machine.files, path);
  if (directory === undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_CAPTURE',
      `${path} must be the folder of a recorded live session, received no folder; ` +
        'the decisions of a capture of inputs are computed again by tickwright parity',
    );
  }
  if (diff === true && set !== undefined) {
    const changes = await diffBlackBox(machine, directory, { set });
    if (json === true) await printJson(diffJson(changes));
    else await printText(diffText(changes));
    return changes.notReproduced === undefined ? EXIT.ok : EXIT.checkFailed;
  }
  const result = await replayBlackBox(machine, directory, until);
  if (json === true) await printJson(replayJson(result));
  else await printText(`${placeText(result)}\n\n${replayText(result)}`);
  return result.identical ? EXIT.ok : EXIT.checkFailed;
}

/**
 * With other parameters the session sends other requests, which the recording does not answer. So only decisions can be
 * compared.
 */
function demandBoth({ until, set, diff }: ReplayOptions): void {
  if ((set === undefined) !== (diff === undefined)) {
    const received = set === undefined ? '--diff alone' : '--set alone';
    throw new UsageError('TICKWRIGHT_E_REPLAY', `--set and --diff must go together, received ${received}`);
  }
  if (set !== undefined && until !== undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_REPLAY',
      `--until must be left out where --diff compares a whole session, received ${until}`,
    );
  }
}
