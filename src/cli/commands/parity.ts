import { counted } from '../../model/counted.js';
import { checkParity, type Difference, openWholeCapture, type Parity } from '../replay/parity.js';
import { findBlackBox } from '../replay/recorded-session.js';
import { replayBlackBox } from '../replay/replay.js';
import { loadStrategy } from '../strategy/strategy.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { printJson, printText, say } from '../view/output.js';
import { replayJson, replayText } from '../view/replay-view.js';

export interface ParityOptions {
  readonly json?: true | undefined;
}

export async function parity(path: string, options: ParityOptions): Promise<ExitCode> {
  const machine = thisMachine();
  const box = await findBlackBox(machine.files, path);
  if (box !== undefined) {
    const replayed = await replayBlackBox(machine, box);
    if (options.json === true) await printJson(replayJson(replayed));
    else await printText(replayText(replayed));
    return replayed.identical ? EXIT.ok : EXIT.checkFailed;
  }
  const capture = await openWholeCapture(machine.files, path);
  const { strategy: recorded } = capture.header;
  const strategy = await loadStrategy(machine, recorded.file, recorded.params);
  const strategyChanged = strategy.sha256 !== recorded.sha256;
  if (strategyChanged) {
    await say(`${recorded.file} is no longer what the session ran: its decisions may differ for that reason`);
  }
  const thrown = (error: unknown) => {
    const explained = strategy.explain(error);
    return explained !== error && explained instanceof Error ? explained.message : undefined;
  };
  const result = await checkParity(capture.header, strategy.bound, capture.records(), thrown).catch(
    (error: unknown) => {
      throw strategy.explain(error);
    },
  );
  if (options.json === true) await printJson({ ...resultJson(result), strategyChanged });
  else await printText(resultText(result));
  return result.identical ? EXIT.ok : EXIT.checkFailed;
}

function resultJson({ firstDifference, failure, ...facts }: Parity) {
  return {
    ...facts,
    ...(firstDifference === undefined ? {} : { firstDifference }),
    ...(failure === undefined ? {} : { failure }),
  };
}

function resultText({ events, identical, firstDifference, end, failure, decisionHash }: Parity): string {
  if (!identical && firstDifference !== undefined) return differenceText(firstDifference);
  const ends: Readonly<Partial<Record<Parity['end'], readonly string[]>>> = {
    killed: [
      'the capture ends before its session did: it was killed, or is still running. What came after is not there to be compared',
    ],
    failed: [`the session ended with what its strategy threw, and throws again: ${failure ?? ''}`],
  };
  return [
    `${counted(events, 'event')}: identical decisions`,
    ...(ends[end] ?? []),
    `decision hash ${decisionHash}`,
  ].join('\n');
}

function differenceText({ input, kind, where, recorded, recomputed }: Difference): string {
  return [
    `NOT identical: event ${input} (${kind}), ${where}`,
    `  recorded    ${JSON.stringify(recorded)}`,
    `  recomputed  ${JSON.stringify(recomputed)}`,
  ].join('\n');
}
