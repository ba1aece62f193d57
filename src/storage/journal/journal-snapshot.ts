import { sha256 } from '../../model/digest.js';
import { UsageError } from '../../model/errors.js';
import type { Files } from '../../ports/files.js';
import { lineAt, LineSealer } from './journal-line.js';
import { Fields, type JsonObject, type JsonValue } from '../json-fields.js';

const SNAPSHOT_VERSION = 1;

/** The summary of all records up to `sequence`, as the journal's reader makes it. */
export interface JournalSnapshot {
  readonly sequence: number;
  /** When it was taken, ms of our own clock. */
  readonly wall: number;
  readonly state: JsonValue;
}

/** A snapshot is one line, with a checksum like a record. */
export function snapshotBytes({ sequence, wall, state }: JournalSnapshot): Uint8Array {
  const text = JSON.stringify(state);
  const head: JsonObject = { formatVersion: SNAPSHOT_VERSION, wall, stateSha256: sha256(text) };
  // Plus 1, because a snapshot before the first record has sequence 0, and a line's sequence begins at 1.
  return new LineSealer().seal(sequence + 1, `${JSON.stringify(head).slice(0, -1)},"state":${text}}`);
}

/** @throws UsageError when the file is not a complete snapshot of that sequence. */
export async function readSnapshot(files: Files, path: string, sequence: number): Promise<JournalSnapshot> {
  const bytes = await files.read(path);
  const line = lineAt(bytes, 0);
  if (line === undefined || line.end !== bytes.length || line.sequence !== sequence + 1) {
    throw snapshotError(`${path} must be a snapshot as it was written, received other bytes`);
  }
  const fields = new Fields(parsed(path, bytes.subarray(line.json, line.end - 1)), path);
  const version = fields.integer('formatVersion');
  if (version !== SNAPSHOT_VERSION) {
    throw snapshotError(`${path}: formatVersion must be ${SNAPSHOT_VERSION}, received ${version}`);
  }
  const state = fields.value('state') as JsonValue;
  const hash = sha256(JSON.stringify(state));
  if (hash !== fields.text('stateSha256')) {
    throw snapshotError(
      `${path}: the state must have the sha-256 ${fields.text('stateSha256')}, received ${hash}`,
    );
  }
  return { sequence, wall: fields.number('wall'), state };
}

function parsed(path: string, json: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json));
  } catch {
    throw snapshotError(`${path} must hold JSON, received something else`);
  }
}

function snapshotError(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_SNAPSHOT', message);
}
