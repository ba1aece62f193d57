/** Changes one answer of a recorded session, and makes its checksums right again. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { blockOf } from '../../src/storage/capture/black-box-block.js';
import { checkSeal, sealed } from '../../src/storage/capture/capture.js';

const OTHER_ANSWER = '{"code":503,"msg":"another answer","result":{}}';
const SEAL = /,"crc":"[0-9a-f]{8}"\}$/;

/** Of a turn in the second half of the session in which trades came in. Returns the turn's number. */
export function changeOneInput(folder: string): number {
  const paths = readdirSync(folder)
    .filter((name) => name.startsWith('segment-'))
    .sort()
    .map((name) => join(folder, name));
  const segments = paths.map((path) => gunzipSync(readFileSync(path)).toString('utf8').split('\n'));
  const half = segments.flat().length / 2;
  let changed: number | undefined;
  let place = 0;
  let crc = 0;
  for (const [index, lines] of segments.entries()) {
    const before = changed;
    const written = lines.map((line) => {
      place += 1;
      if (line === '') return line;
      const other = changed === undefined && place > half ? withOtherAnswer(line) : undefined;
      if (other !== undefined) changed = other.turn;
      const next = sealed(other?.text ?? line.replace(SEAL, '}'), crc);
      crc = next.crc;
      if (changed === undefined && checkSeal(line, 0)?.crc !== crc) {
        throw new Error(`line ${place} must be as it was sealed, received ${line.slice(-40)}`);
      }
      return next.line;
    });
    if (before !== undefined || changed !== undefined) {
      writeFileSync(paths[index] as string, blockOf(gzipSync(written.join('\n'))));
    }
  }
  if (changed === undefined) throw new Error('a session must have answers with trades, received none');
  return changed;
}

function withOtherAnswer(line: string): { readonly turn: number; readonly text: string } | undefined {
  if (!line.includes('is_buyer_maker')) return undefined;
  const { crc: _, ...fields } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const { answer, body, inputs, turn } = fields;
  if (answer === undefined || typeof body !== 'string' || !body.includes('is_buyer_maker')) return undefined;
  if (!(Number(inputs) > 0)) return undefined;
  return { turn: Number(turn), text: JSON.stringify({ ...fields, body: OTHER_ANSWER }) };
}
