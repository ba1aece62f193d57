/**
 * `halts.json` in the state folder of a daemon: the halts that nobody has resumed. Journals record halts as well, but
 * only of pairs that had a session at that moment. A paper daemon uses `halts-paper.json`, because a person who resumes
 * it has not looked at the live one.
 */
import { join } from 'node:path';
import { type Halt, HALT_LEVELS } from '../model/halt-level.js';
import { FileMissing, type Files } from '../ports/files.js';

const OWNER_ONLY = 0o600;

type Mode = 'paper' | 'live';

function haltsPath(state: string, mode: Mode): string {
  return join(state, mode === 'live' ? 'halts.json' : 'halts-paper.json');
}

/** Writes the halts; removes the file when there are none. */
export async function keepHalts(
  files: Files,
  state: string,
  mode: Mode,
  halts: readonly Halt[],
): Promise<void> {
  const path = haltsPath(state, mode);
  if (halts.length === 0) await files.remove(path);
  else await files.writeAtomic(path, `${JSON.stringify({ formatVersion: 1, halts })}\n`, OWNER_ONLY);
}

/** The halts in the file. A file that cannot be understood counts as a halt, which is the safe side. */
export async function readHalts(files: Files, state: string, mode: Mode): Promise<readonly Halt[]> {
  const path = haltsPath(state, mode);
  let text: string;
  try {
    text = await files.readText(path);
  } catch (error) {
    if (error instanceof FileMissing) return [];
    throw error;
  }
  const reason = `${path} must be what a daemon writes, received something else`;
  return parsed(text) ?? [{ level: 'pause', reason, by: 'the daemon' }];
}

function parsed(text: string): readonly Halt[] | undefined {
  try {
    const { formatVersion, halts } = (JSON.parse(text) ?? {}) as Record<string, unknown>;
    return formatVersion === 1 && Array.isArray(halts) && halts.every(isHalt) ? halts : undefined;
  } catch {
    return undefined;
  }
}

function isHalt(value: unknown): value is Halt {
  const { level, reason, by } = (value ?? {}) as Record<string, unknown>;
  return HALT_LEVELS.some((each) => each === level) && typeof reason === 'string' && typeof by === 'string';
}
