import { UsageError } from '../../model/errors.js';
import type { Files } from '../../ports/files.js';
import { blockAt } from './black-box-block.js';
import { blackBoxSegments } from './black-box-layout.js';
import { checkSeal } from './capture.js';

/** A part of a black box, in order. `where` is `file, line N` or `file, byte N`. */
export type BlackBoxPart =
  /** `intact` is false if the line is not what the session wrote, or if a line before it is missing. */
  | { readonly kind: 'line'; readonly where: string; readonly text: string; readonly intact: boolean }
  /** Something that cannot be read. It is the last part: the order of what follows would not be known. */
  | { readonly kind: 'damage'; readonly where: string; readonly reason: string }
  /** The end of the last segment, which was being written when the session was killed. */
  | { readonly kind: 'torn'; readonly where: string; readonly bytes: number };

/**
 * Reads the segments of one session, in order.
 *
 * @throws UsageError when the folder has no segment.
 */
export async function* readBlackBox(
  files: Files,
  directory: string,
): AsyncGenerator<BlackBoxPart, void, undefined> {
  const segments = await blackBoxSegments(files, directory);
  const last = segments.at(-1);
  if (last === undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_CAPTURE',
      `${directory} must be the folder of a session's black box, received no segment of one there`,
    );
  }
  let crc = 0;
  let expected: number | undefined;
  for (const { path, number } of segments) {
    if (number !== (expected ?? number)) {
      yield { kind: 'damage', where: path, reason: `segment ${expected} before it is missing` };
      return;
    }
    expected = number + 1;
    const bytes = await files.read(path);
    let line = 0;
    for (let offset = 0; offset < bytes.length; ) {
      const where = `${path}, byte ${offset}`;
      const found = blockAt(bytes, offset);
      if (found.kind === 'torn') {
        const lost = bytes.length - offset;
        if (path === last.path) yield { kind: 'torn', where, bytes: lost };
        else
          yield { kind: 'damage', where, reason: `${lost} bytes are no whole block, and a segment follows` };
        return;
      }
      if (found.kind === 'damage') {
        yield { kind: 'damage', where, reason: 'this is no block' };
        return;
      }
      const text = await unpacked(files, bytes.subarray(offset, found.end));
      if (text === undefined) {
        const reason = `a block of ${found.end - offset} bytes is not what was written`;
        yield { kind: 'damage', where, reason };
        return;
      }
      for (const each of text.split('\n')) {
        if (each === '') continue;
        line += 1;
        const seal = checkSeal(each, crc);
        crc = seal?.crc ?? 0;
        yield { kind: 'line', where: `${path}, line ${line}`, text: each, intact: seal?.intact === true };
      }
      offset = found.end;
    }
  }
}

/** The text of a block; `undefined` if its own checksum does not match. */
async function unpacked(files: Files, block: Uint8Array): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of files.gunzip(only(block))) parts.push(part);
  } catch {
    return undefined;
  }
  return Buffer.concat(parts).toString('utf8');
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield await Promise.resolve(bytes);
}
