import { UsageError } from '../../model/errors.js';
import { findBlackBox } from '../compose/recorded-session.js';
import { replayBlackBox } from '../compose/replay.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { printJson, printText } from '../view/output.js';
import { placeText, replayJson, replayText } from '../view/replay-view.js';

export interface ReplayOptions {
  readonly until?: number | undefined;
  readonly json?: true | undefined;
}

export async function replay(path: string, { until, json }: ReplayOptions): Promise<ExitCode> {
  const machine = thisMachine();
  const directory = await findBlackBox(machine.files, path);
  if (directory === undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_CAPTURE',
      `${path} must be the folder of a recorded live session, received no folder; ` +
        'the decisions of a capture of inputs are computed again by tickwright parity',
    );
  }
  const result = await replayBlackBox(machine, directory, until);
  if (json === true) await printJson(replayJson(result));
  else await printText(`${placeText(result)}\n\n${replayText(result)}`);
  return result.identical ? EXIT.ok : EXIT.checkFailed;
}
