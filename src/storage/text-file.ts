import { UsageError } from '../model/errors.js';
import type { Files, ReadableFile } from '../ports/files.js';

const CHUNK_BYTES = 1 << 18;
const MOST_LINE_CHARACTERS = 1 << 24;

/** Some lines of a text file, without their ends. */
export interface Lines {
  /** Number of the first, from 1. */
  readonly first: number;
  readonly lines: readonly string[];
  /** The file ended in the middle of the last of these lines: no line end. */
  readonly torn: boolean;
}

/**
 * The lines of a text file in UTF-8, a few hundred KiB at a time; a gzip file is unpacked, whatever its name is.
 *
 * @throws UsageError when it is not UTF-8, or not whole gzip.
 */
export async function* readLines(files: Files, path: string): AsyncGenerator<Lines, void, undefined> {
  const file = await files.openRead(path);
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let first = 1;
    let rest = '';
    const packed = await packedAs(file);
    if (packed !== undefined && packed !== 'gzip') throw textError(path, MUST_BE_TEXT, packed);
    for await (const bytes of packed === 'gzip' ? unpack(files, path, file) : readBytes(file)) {
      const text = rest + decode(path, first, decoder, bytes);
      const lines = text.split('\n');
      rest = lines.pop() as string;
      if (rest.length > MOST_LINE_CHARACTERS) {
        throw textError(
          `${path}:${first + lines.length}`,
          'lines',
          `one of more than ${MOST_LINE_CHARACTERS} characters`,
        );
      }
      if (lines.length === 0) continue;
      yield { first, lines: lines.map(withoutReturn), torn: false };
      first += lines.length;
    }
    rest += decode(path, first, decoder);
    if (rest !== '') yield { first, lines: [withoutReturn(rest)], torn: true };
  } finally {
    await file.close();
  }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function decode(
  path: string,
  line: number,
  decoder: InstanceType<typeof TextDecoder>,
  bytes?: Uint8Array,
): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    throw textError(`${path}:${line}`, 'text in UTF-8', 'other bytes at or after this line');
  }
}

const MUST_BE_TEXT = 'text, as it is or packed by gzip';

/** First bytes of what people have their data in, and which no text begins with. */
const MAGIC = {
  gzip: [0x1f, 0x8b],
  'a Parquet file': [0x50, 0x41, 0x52, 0x31],
  'an Arrow file': [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31, 0x00],
  'a ZIP archive': [0x50, 0x4b, 0x03, 0x04],
  'a Zstandard file': [0x28, 0xb5, 0x2f, 0xfd],
  'an XZ file': [0xfd, 0x37, 0x7a, 0x58, 0x5a],
} as const;

async function packedAs(file: ReadableFile): Promise<keyof typeof MAGIC | undefined> {
  const begin = new Uint8Array(8);
  const count = await file.readInto(begin, 0);
  const kinds = Object.entries(MAGIC) as [keyof typeof MAGIC, readonly number[]][];
  return kinds.find(
    ([, magic]) => magic.length <= count && magic.every((byte, at) => begin[at] === byte),
  )?.[0];
}

async function* readBytes(file: ReadableFile): AsyncGenerator<Uint8Array, void, undefined> {
  for (let offset = 0; offset < file.size; ) {
    const chunk = new Uint8Array(CHUNK_BYTES);
    const count = await file.readInto(chunk, offset);
    if (count === 0) return;
    offset += count;
    yield chunk.subarray(0, count);
  }
}

async function* unpack(
  files: Files,
  path: string,
  file: ReadableFile,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* files.gunzip(readBytes(file));
  } catch (cause) {
    throw textError(path, 'whole gzip', cause instanceof Error ? cause.message : String(cause));
  }
}

function textError(where: string, expected: string, received: string): UsageError {
  return new UsageError('TICKWRIGHT_E_TEXT', `${where} must be ${expected}, received ${received}`);
}
