import { UsageError } from '../../model/errors.js';
import { DAY_MS, dayOf } from '../../storage/rows/day.js';
import { type BotFolder, botFolders } from '../journal/bot-folders.js';
import { type Gate, noSession, whyNot as gatesOf } from '../replay/why-not.js';
import { recordedSpans, traceSession } from '../replay/traced-session.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { momentText, parseMoment } from '../view/moment.js';
import { printJson, printText } from '../view/output.js';
import { printable } from '../view/printable.js';

export interface WhyNotOptions {
  /** Default: now. */
  readonly at?: string | undefined;
  readonly config?: string | undefined;
  readonly journal?: string | undefined;
  readonly json?: true | undefined;
}

/** Explains why there was no order at a moment: the first gate that refused, with its numbers. */
export async function whyNot(pair: string, options: WhyNotOptions): Promise<ExitCode> {
  const machine = thisMachine('error');
  const now = machine.clock.wall();
  const at = options.at === undefined ? now : momentOf(options.at, now);
  if (at > now) {
    throw new UsageError('TICKWRIGHT_E_TIME', `--at must have passed, received ${momentText(at)}`);
  }
  const folder = folderOf(await botFolders(machine, options), pair);
  const spans = await recordedSpans(machine, folder.capture);
  const span = spans.findLast(({ from }) => from <= at);
  const isTraceable = span !== undefined && span.problem === undefined;
  const traced = !isTraceable ? undefined : await traceSession(machine, span.directory, { wall: at });
  if (traced !== undefined && traced.market.pair !== pair) {
    throw new UsageError(
      'TICKWRIGHT_E_PAIR',
      `the pair must be the one of ${folder.folder}, ${traced.market.pair}, received ${pair}`,
    );
  }
  const chain = traced === undefined ? noSession(spans, at) : gatesOf(traced, at);
  const answer = chain.at(-1);
  if (options.json === true) {
    await printJson({ pair, at, session: traced?.session, ...(answer && { answer: answer.gate }), chain });
  } else await printText(chainText(pair, at, chain));
  return EXIT.ok;
}

/** Parses a moment; `14:02` and `14:02:30` are times of the present day, UTC. */
export function momentOf(text: string, now: number): number {
  const [, hours, minutes, seconds = '0'] = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return parseMoment(text, '--at', '14:02 (today, UTC), ');
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59)
    return parseMoment(text, '--at', '14:02 (today, UTC), ');
  return dayOf(now) * DAY_MS + ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
}

function folderOf(folders: readonly BotFolder[], pair: string): BotFolder {
  const folder = folders.find((each) => each.pair === pair || each.pair === undefined);
  if (folder !== undefined) return folder;
  throw new UsageError(
    'TICKWRIGHT_E_PAIR',
    `the pair must be one that has a folder (${folders.map((each) => each.pair).join(', ')}), received ${pair}`,
  );
}

const SIGNS = { yes: 'ok ', no: 'NO ', sent: 'YES' } as const;

function chainText(pair: string, at: number, chain: readonly Gate[]): string {
  const answer = chain.at(-1);
  const first = answer?.verdict === 'sent' ? answer.text : `no new order: ${answer?.text}`;
  return [
    printable(`${pair} at ${momentText(at)}: ${first}`),
    ...chain.map(({ gate, verdict, text }) => printable(`  ${SIGNS[verdict]} ${gate.padEnd(10)} ${text}`)),
  ].join('\n');
}
