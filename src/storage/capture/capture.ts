import { UsageError } from '../../model/errors.js';
import type { MarketSpec } from '../../model/market.js';
import { crc32, crcText } from '../crc32.js';
import { Fields, type JsonObject } from '../json-fields.js';
import { parseMarketSpec } from '../market-spec.js';

/**
 * A capture records what a session saw and decided, as NDJSON: a header, one line per input, one per decision that is
 * not empty, and a footer if the session ended in order. The last field of a line is a checksum over the line and the
 * preceding checksum, so a changed line is identified exactly. The version also covers how wants and decisions are
 * hashed: with another method, equal decisions would appear to differ.
 */
export const CAPTURE_VERSION = 2;

/** Everything that is needed to recompute the decisions. */
export interface CaptureHeader {
  /** Version of this package. */
  readonly engine: string;
  readonly strategy: {
    readonly name: string;
    /** Path of the file, as it was loaded. */
    readonly file: string;
    /** Hash of the strategy's bundle. */
    readonly sha256: string;
    /** Parameter values as a person writes them. */
    readonly params: Readonly<Record<string, string>>;
    /** The parameters that were given explicitly rather than left at their defaults; absent if this was not recorded. */
    readonly given?: Readonly<Record<string, string>>;
  };
  readonly market: MarketSpec;
  readonly limits: JsonObject;
  /** The other options that the session was started with. */
  readonly options: JsonObject;
  /** Number of the first input of this file: 1, or higher in a later part of a long session. */
  readonly firstInput: number;
}

export interface CaptureFooter {
  readonly inputs: number;
  readonly wantsHash: string;
  readonly decisionHash: string;
}

/** Appends the checksum of an object's text as its last field. `previous`: the checksum of the line before. */
export function sealed(json: string, previous: number): { readonly line: string; readonly crc: number } {
  const body = json.slice(0, -1);
  const crc = crc32(body, previous);
  return { line: `${body},"crc":"${crcText(crc)}"}`, crc };
}

const SEAL = /,"crc":"([0-9a-f]{8})"\}$/;

/**
 * The checksum that a line states, and whether it matches the line and the checksum before; `undefined` if it states
 * none.
 */
export function checkSeal(
  line: string,
  previous: number,
): { readonly crc: number; readonly intact: boolean } | undefined {
  const seal = SEAL.exec(line);
  if (seal === null) return undefined;
  const crc = Number.parseInt(seal[1] as string, 16);
  return { crc, intact: crc32(line.slice(0, seal.index), previous) === crc };
}

export function headerText(header: CaptureHeader): string {
  return JSON.stringify({ header: { formatVersion: CAPTURE_VERSION, ...header } });
}

/** @throws UsageError naming the field that is invalid. */
export function parseHeader(value: unknown): CaptureHeader {
  const fields = new Fields(value, 'header');
  const version = fields.integer('formatVersion');
  if (version !== CAPTURE_VERSION) {
    throw new UsageError(
      'TICKWRIGHT_E_CAPTURE',
      `header.formatVersion must be ${CAPTURE_VERSION}, received ${version}`,
    );
  }
  const strategy = fields.object('strategy');
  const textsIn = (name: string) => {
    const texts = strategy.object(name);
    const names = Object.keys(strategy.value(name) as object);
    return Object.fromEntries(names.map((each) => [each, texts.text(each)]));
  };
  new Fields(fields.value('limits'), 'header.limits');
  new Fields(fields.value('options'), 'header.options');
  return {
    engine: fields.text('engine'),
    strategy: {
      name: strategy.text('name'),
      file: strategy.text('file'),
      sha256: strategy.text('sha256'),
      params: textsIn('params'),
      ...(strategy.has('given') ? { given: textsIn('given') } : {}),
    },
    market: parseMarketSpec(fields.value('market'), 'header.market'),
    limits: fields.value('limits') as JsonObject,
    options: fields.value('options') as JsonObject,
    firstInput: fields.integer('firstInput'),
  };
}

export function parseFooter(value: unknown): CaptureFooter {
  const fields = new Fields(value, 'footer');
  return {
    inputs: fields.integer('inputs'),
    wantsHash: fields.text('wantsHash'),
    decisionHash: fields.text('decisionHash'),
  };
}

/** The file of a segment. A long session keeps its newest inputs in two files, which it overwrites alternately. */
export function segmentPath(path: string, segment: number): string {
  return segment % 2 === 0 ? path : `${path}.1`;
}
