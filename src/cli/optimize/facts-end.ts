import { MARK_FRESH_MS } from '../../model/ticker.js';
import type { Files } from '../../ports/files.js';
import { openRecording, type RecordingQuery } from '../../storage/recording/recording.js';

/**
 * Just after the newest fact that is recorded besides trades, ms. A recorder writes facts and trades at different moments,
 * so those of the last seconds before `rowsEnd` may follow later: a minute's are looked at.
 */
export async function factsEnd(
  files: Files,
  paths: readonly string[],
  { pair, rowsEnd }: Pick<RecordingQuery, 'pair'> & { readonly rowsEnd: number },
): Promise<number> {
  const from = rowsEnd - MARK_FRESH_MS;
  const recording = await openRecording(files, paths, { pair, from });
  let end = from;
  for await (const facts of recording.facts()) {
    for (const { time } of facts) end = Math.max(end, time + 1);
  }
  return end;
}
