import { UsageError } from '../../model/errors.js';
import type { EngineEvent } from '../../model/event.js';
import type { Files } from '../../ports/files.js';
import {
  type CaptureFooter,
  type CaptureHeader,
  checkSeal,
  parseFooter,
  parseHeader,
  segmentPath,
} from './capture.js';
import { decodeEvent } from './event-codec.js';
import { Fields } from '../json-fields.js';
import { readLines } from '../text-file.js';

/** A line of a capture. `intact` is false if it is not what the session wrote, or if a line before it is missing. */
export type CaptureRecord = { readonly where: string; readonly intact: boolean } & (
  | { readonly kind: 'header'; readonly header: CaptureHeader }
  | { readonly kind: 'input'; readonly input: number; readonly event: EngineEvent }
  /** `decision` is the text that `decisionText` makes of a decision. */
  | { readonly kind: 'decision'; readonly input: number; readonly decision: string }
  | { readonly kind: 'footer'; readonly footer: CaptureFooter }
);

export interface Capture {
  readonly header: CaptureHeader;
  /** All lines in order, including headers. The two parts of a long session follow one another. */
  records(): AsyncGenerator<CaptureRecord, void, undefined>;
}

/**
 * Opens a capture by the path that its session was given.
 *
 * @throws UsageError when there is no capture, or when its header cannot be read.
 */
export async function openCapture(files: Files, path: string): Promise<Capture> {
  const parts: { readonly path: string; readonly header: CaptureHeader }[] = [];
  const begun: string[] = [];
  for (const part of [segmentPath(path, 0), segmentPath(path, 1)]) {
    if ((await files.stat(part))?.kind !== 'file') continue;
    const header = await readHeader(files, part);
    if (header === undefined) begun.push(part);
    else parts.push({ path: part, header });
  }
  parts.sort((a, b) => a.header.firstInput - b.header.firstInput);
  const [oldest] = parts;
  // A part that has only begun, or that found the disk full, takes nothing from the one before it.
  if (oldest === undefined) throw await withoutHeader(files, path, begun[0]);
  return {
    header: oldest.header,
    records: async function* () {
      for (const part of parts) yield* readPart(files, part.path);
    },
  };
}

/**
 * Reads the lines of one file. Leaves out an incomplete last line, which was being written when the session was killed.
 *
 * @throws UsageError naming `file:line` where a line cannot be read.
 */
async function* readPart(files: Files, path: string): AsyncGenerator<CaptureRecord, void, undefined> {
  let previous = 0;
  let nextInput: number | undefined;
  for await (const { first, lines, torn } of readLines(files, path)) {
    if (torn) return;
    for (const [index, line] of lines.entries()) {
      const where = `${path}:${first + index}`;
      if (first + index === 1 && !isHeader(line)) {
        throw captureError(
          `${where} must be the header of a capture, which a session wrote its inputs into, ` +
            `received ${line.slice(0, 80)}`,
        );
      }
      const seal = checkSeal(line, previous);
      previous = seal?.crc ?? 0;
      const record = parseRecord(where, line);
      if (first + index === 1 && record.kind !== 'header')
        throw captureError(`${where} must be the header of a capture`);
      const inOrder = record.kind !== 'input' || record.input === (nextInput ?? record.input);
      if (record.kind === 'input') nextInput = record.input + 1;
      if (record.kind === 'header') nextInput = record.header.firstInput;
      yield { ...record, where, intact: seal?.intact === true && inOrder };
    }
  }
}

function isHeader(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && Object.hasOwn(value, 'header');
  } catch {
    return false;
  }
}

/** `undefined` while the first line is not whole. */
async function readHeader(files: Files, path: string): Promise<CaptureHeader | undefined> {
  for await (const record of readPart(files, path)) {
    if (record.kind === 'header') return record.header;
  }
  return undefined;
}

async function withoutHeader(files: Files, path: string, begun: string | undefined): Promise<UsageError> {
  if (begun === undefined) return captureError(`${path} must be a capture, received nothing there`);
  const received =
    (await files.stat(begun))?.size === 0 ? 'an empty file' : 'the beginning of its first line only';
  return captureError(
    `${begun}:1 must be the header of a capture, received ${received}: its session ended before it had written ` +
      'down what it was, and nothing of it can be computed again',
  );
}

type ParsedRecord = CaptureRecord extends infer R
  ? R extends CaptureRecord
    ? Omit<R, 'where' | 'intact'>
    : never
  : never;

function parseRecord(where: string, line: string): ParsedRecord {
  try {
    const value: unknown = JSON.parse(line);
    const fields = new Fields(value, 'the line');
    if (fields.has('input')) {
      return { kind: 'input', input: fields.integer('input'), event: decodeEvent(fields.value('event')) };
    }
    if (fields.has('decision')) {
      const { decision: _decision, crc: _crc, ...rest } = value as Readonly<Record<string, unknown>>;
      return { kind: 'decision', input: fields.integer('decision'), decision: JSON.stringify(rest) };
    }
    if (fields.has('header')) return { kind: 'header', header: parseHeader(fields.value('header')) };
    if (fields.has('footer')) return { kind: 'footer', footer: parseFooter(fields.value('footer')) };
    throw captureError(
      `the line must be a header, an input, a decision or a footer, received ${line.slice(0, 80)}`,
    );
  } catch (cause) {
    if (cause instanceof UsageError || cause instanceof SyntaxError)
      throw captureError(`${where}: ${cause.message}`);
    throw cause;
  }
}

function captureError(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_CAPTURE', message);
}
