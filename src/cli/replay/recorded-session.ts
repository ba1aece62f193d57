/** Reads a session from its black box: what it was, and what happened to it. */
import { basename, join } from 'node:path';
import type { VenueProfile } from '../../client/profile.js';
import type { BooksState } from '../../execution/books-state.js';
import { UsageError } from '../../model/errors.js';
import { defineMarket } from '../../model/market.js';
import type { Files } from '../../ports/files.js';
import type { RecordedPart, SessionFooter } from '../../runner/black-box/replay.js';
import type { BoxedPlan } from '../../runner/black-box/session-in-box.js';
import { TurnDecoder } from '../../runner/black-box/turn-codec.js';
import type { LedgerPlan } from '../../runner/live-session.js';
import { blackBoxFolders, blackBoxSegments } from '../../storage/capture/black-box-layout.js';
import { type BlackBoxPart, readBlackBox } from '../../storage/capture/black-box-reader.js';
import { BLACK_BOX_VERSION } from '../../storage/capture/black-box-writer.js';
import type { CaptureHeader } from '../../storage/capture/capture.js';
import { CAPTURE_VERSION, parseHeader } from '../../storage/capture/capture.js';
import { Fields } from '../../storage/json-fields.js';
import type { BoundStrategy } from '../../strategy/instance.js';
import { capturedLimits, capturedOptions, isCaptureName } from '../session/capture.js';

export interface RecordedSession {
  /** The strategy that it ran. */
  readonly strategy: CaptureHeader['strategy'];
  /** Version of this package that ran it. */
  readonly engine: string;
  readonly session: string;
  readonly books: BooksState;
  planWith(strategy: BoundStrategy): BoxedPlan;
  /** The recorded parts, from the first turn on. Can be read once. */
  parts(): AsyncGenerator<RecordedPart, void, undefined>;
}

/**
 * The black box at a path: in the folder of a session, or of a bot that has recorded only one session. `undefined` if
 * the path is not a folder.
 *
 * @throws UsageError when there is none, or when there are several.
 */
export async function findBlackBox(files: Files, path: string): Promise<string | undefined> {
  if ((await files.stat(path))?.kind !== 'directory') return undefined;
  if ((await blackBoxSegments(files, path)).length > 0) return path;
  const sessions = await blackBoxFolders(files, join(path, 'capture'));
  const [only] = sessions;
  if (only !== undefined && sessions.length === 1) return only;
  const received = sessions.map((session) => basename(session)).join(', ');
  const what =
    received === ''
      ? `no black box there${await captureHint(files, path)}`
      : `a bot with several: ${received}`;
  throw captureError(`${path} must be the folder of a recorded session, received ${what}`);
}

/** A hint if there are captures of paper sessions, which are files that `parity` takes directly. */
async function captureHint(files: Files, directory: string): Promise<string> {
  const captures = (await files.list(directory))
    .filter(({ name, kind }) => kind === 'file' && isCaptureName(name))
    .map(({ path }) => path)
    .sort();
  const newest = captures.at(-1);
  return newest === undefined
    ? ''
    : `, but captures of its inputs for tickwright parity, the newest ${newest}`;
}

/** @throws UsageError when its beginning is missing or unreadable. */
export async function openBlackBox(files: Files, directory: string): Promise<RecordedSession> {
  const [oldest] = await blackBoxSegments(files, directory);
  // The checksum of its first line depends on a removed line, so it cannot serve as the test here.
  if (oldest !== undefined && oldest.number > 1) {
    throw captureError(
      `${directory} must reach back to the beginning of its session, received its segments from number ${oldest.number} on: ` +
        'the oldest were dropped',
    );
  }
  const parts = readBlackBox(files, directory);
  const first = await parts.next();
  if (first.done === true || first.value.kind !== 'line' || !first.value.intact) {
    const part = first.done === true ? undefined : first.value;
    throw captureError(
      `${directory} must begin with the header of a black box, received ${receivedText(part)}`,
    );
  }
  const { where, text } = first.value;
  return { ...recordedSession(headerIn(where, text), where), parts: () => recordedParts(parts) };
}

const BEFORE_ANYTHING =
  'its session ended before it had written down what it was, and nothing of it can be executed again';

function receivedText(part: BlackBoxPart | undefined): string {
  if (part === undefined) return `an empty file: ${BEFORE_ANYTHING}`;
  if (part.kind === 'torn')
    return `${part.bytes} bytes of its first block only (${part.where}): ${BEFORE_ANYTHING}`;
  return part.kind === 'damage'
    ? `something else: ${part.reason} (${part.where})`
    : `a line that was changed (${part.where})`;
}

function recordedSession(fields: Fields, where: string): Omit<RecordedSession, 'parts'> {
  const version = fields.integer('formatVersion');
  if (version !== BLACK_BOX_VERSION) {
    throw captureError(`${where}: formatVersion must be ${BLACK_BOX_VERSION}, received ${version}`);
  }
  const firstTurn = fields.integer('firstTurn');
  if (firstTurn !== 1) {
    throw captureError(
      `${where} must reach back to the beginning of its session, received its turns from number ${firstTurn} on: ` +
        'the oldest segments were dropped',
    );
  }
  // The header states engine and gate in the same form as a capture of inputs.
  const names = ['engine', 'strategy', 'market', 'limits', 'options'] as const;
  const facts = Object.fromEntries(names.map((name) => [name, fields.value(name)]));
  const header = parseHeader({ ...facts, formatVersion: CAPTURE_VERSION, firstInput: 1 });
  const { seed, onDoubt, baseline, reserves } = capturedOptions(header);
  const session = fields.text('session');
  return {
    strategy: header.strategy,
    engine: header.engine,
    session,
    books: fields.object('start').value('books') as BooksState,
    planWith: (strategy) => ({
      session,
      strategy,
      seed,
      onDoubt,
      baseline,
      reserves,
      market: defineMarket(header.market),
      limits: capturedLimits(header),
      url: fields.text('url'),
      profile: fields.value('profile') as VenueProfile,
      clientSeed: fields.text('clientSeed'),
      every: fields.value('every') as BoxedPlan['every'],
      warmUpMs: fields.number('warmUpMs'),
      policy: fields.value('policy') as BoxedPlan['policy'],
      readsTransfers: fields.has('readsTransfers') && fields.flag('readsTransfers'),
      recountsCash: fields.has('recountsCash') && fields.flag('recountsCash'),
      ledger: fields.has('ledger') ? ledgerOf(fields.object('ledger')) : undefined,
    }),
  };
}

function ledgerOf(fields: Fields): LedgerPlan {
  const bound = fields.has('maxSuspense') ? BigInt(fields.text('maxSuspense')) : undefined;
  const followsTransfers = fields.has('followsTransfers') && fields.flag('followsTransfers');
  return { everyMs: fields.number('everyMs'), maxSuspense: bound, followsTransfers };
}

async function* recordedParts(
  parts: AsyncIterable<BlackBoxPart>,
): AsyncGenerator<RecordedPart, void, undefined> {
  const decoder = new TurnDecoder();
  for await (const part of parts) {
    const { where } = part;
    if (part.kind === 'torn') return;
    if (part.kind === 'damage') {
      yield part;
      return;
    }
    if (!part.intact) {
      const reason = 'a line whose checksum does not follow from it and the one before';
      yield { kind: 'damage', where, reason };
      return;
    }
    const line = JSON.parse(part.text) as unknown;
    const fields = new Fields(line, where);
    if (fields.has('turn')) yield { kind: 'turn', where, turn: decoder.turn(line) };
    else if (fields.has('footer')) yield { kind: 'footer', where, footer: footerOf(fields.object('footer')) };
  }
}

function footerOf(fields: Fields): SessionFooter {
  return {
    turns: fields.integer('turns'),
    inputs: fields.integer('inputs'),
    wantsHash: fields.text('wantsHash'),
    decisionHash: fields.text('decisionHash'),
  };
}

function headerIn(where: string, text: string): Fields {
  return new Fields(JSON.parse(text), where).object('header');
}

function captureError(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_CAPTURE', message);
}
