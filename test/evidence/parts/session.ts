import { type RecordedSessionResult, runRecordedSession } from '../recorded-session.js';

const SECONDS = 620;
const SEED = 11;

/** A session of more than ten minutes by the clock, executed again; and once more with one answer changed. */
export function recordedSession(program: string, folder: string): Promise<RecordedSessionResult> {
  return runRecordedSession({ program, folder, seconds: SECONDS, seed: SEED });
}
