/**
 * HTTP/1.1 for one request and one answer on a connection of its own (RFC 9112), with what an order needs and no more. So
 * its bytes are written in the very turn that decided on it, and no library can send them again.
 */
import type { HttpRequest } from '../ports/http.js';

/** The answer cannot be read, so it proves nothing about the request. */
export class BrokenAnswer extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.name = 'BrokenAnswer';
    this.code = code;
  }
}

/** The connection ended before the end of the answer: treated as a reset. */
const ENDED = 'ECONNRESET';
const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
const MALFORMED = 'MALFORMED_ANSWER';

const PATH = /^\/[\x21-\x7e]*$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Header names of our own requests, known to be valid: checking them again would delay an order. */
const OURS: ReadonlySet<string> = new Set([
  'accept',
  'user-agent',
  'content-type',
  'x-api-key',
  'x-signature',
]);
const TAB = 9;
const SPACE = 32;
const TILDE = 126;

/**
 * The text of the request.
 *
 * @throws Error when the server could parse path or headers as something else.
 */
export function requestText(
  host: string,
  path: string,
  { method, headers, body = '' }: Pick<HttpRequest, 'method' | 'headers' | 'body'>,
): string {
  if (!PATH.test(path)) throw new Error('the path of a request must be visible ASCII');
  let text = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n`;
  for (const name in headers) {
    const value = headers[name] as string;
    if (!((OURS.has(name) || TOKEN.test(name)) && isLine(value))) {
      throw new Error('a header must be one line of ASCII');
    }
    text += `${name}: ${value}\r\n`;
  }
  if (method === 'POST') text += `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${text}\r\n${body}`;
}

/** Printable ASCII and tabs only. By hand: for so short a text a regular expression takes longer to start than to match. */
function isLine(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code < SPACE && code !== TAB) || code > TILDE) return false;
  }
  return true;
}

export interface AnswerSink {
  head(status: number, headers: Readonly<Record<string, string>>): void;
  data(chunk: Buffer): void;
}

type Stage = 'head' | 'body' | 'rest' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailers' | 'done';

const MOST_HEAD_BYTES = 65_536;
const LONGEST_CHUNK_LINE = 1_024;
const STATUS_LINE = /^HTTP\/1\.[01] ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;

/** Parses one answer from chunks of any size. */
export class AnswerReader {
  readonly #sink: AnswerSink;
  readonly #mostBytes: number;
  #waiting: Buffer = Buffer.alloc(0);
  #stage: Stage = 'head';
  /** Bytes of the body, or of the present chunk, that are still missing. */
  #left = 0;
  #bodyBytes = 0;

  constructor(sink: AnswerSink, mostBytes: number) {
    this.#sink = sink;
    this.#mostBytes = mostBytes;
  }

  /** Takes bytes. True when the answer is complete; bytes after it are ignored. @throws BrokenAnswer */
  push(bytes: Buffer): boolean {
    this.#waiting = this.#waiting.length === 0 ? bytes : Buffer.concat([this.#waiting, bytes]);
    while (this.#stage !== 'done' && this.#step()) {
      // each step takes what it can
    }
    return this.#stage === 'done';
  }

  /** The server has closed its side. @throws BrokenAnswer unless the answer ends there */
  end(): void {
    if (this.#stage !== 'done' && this.#stage !== 'rest') throw new BrokenAnswer(ENDED);
  }

  /** Parses the next part; false when that needs more bytes. */
  #step(): boolean {
    switch (this.#stage) {
      case 'head':
        return this.#head();
      case 'body':
      case 'chunk':
        return this.#body();
      case 'rest':
        this.#give(this.#waiting.length);
        return false;
      case 'chunk-size':
        return this.#chunkSize();
      case 'chunk-end':
        return this.#chunkEnd();
      case 'trailers':
        return this.#trailer();
      case 'done':
        return false;
    }
  }

  #head(): boolean {
    const end = this.#waiting.indexOf('\r\n\r\n');
    if (end > MOST_HEAD_BYTES || (end < 0 && this.#waiting.length > MOST_HEAD_BYTES)) {
      throw new BrokenAnswer(TOO_LARGE);
    }
    if (end < 0) return false;
    const [first = '', ...lines] = this.#waiting.toString('latin1', 0, end).split('\r\n');
    this.#waiting = this.#waiting.subarray(end + 4);
    const status = Number(STATUS_LINE.exec(first)?.[1] ?? Number.NaN);
    if (Number.isNaN(status) || status === 101) throw new BrokenAnswer(MALFORMED);
    const headers = headersOf(lines);
    // An interim response, e.g. 103: the answer is still to come.
    if (status < 200) return true;
    this.#sink.head(status, headers);
    this.#stage = this.#bodyStage(status, headers);
    return true;
  }

  #bodyStage(status: number, headers: Readonly<Record<string, string>>): Stage {
    const { 'transfer-encoding': encoding, 'content-length': length } = headers;
    if (status === 204 || status === 304) return 'done';
    if (encoding !== undefined) {
      // Length and chunked coding together are the means of response smuggling.
      if (encoding.toLowerCase() !== 'chunked' || length !== undefined) throw new BrokenAnswer(MALFORMED);
      return 'chunk-size';
    }
    if (length === undefined) return 'rest';
    if (!/^\d{1,15}$/.test(length)) throw new BrokenAnswer(MALFORMED);
    this.#left = Number(length);
    if (this.#left > this.#mostBytes) throw new BrokenAnswer(TOO_LARGE);
    return this.#left === 0 ? 'done' : 'body';
  }

  #body(): boolean {
    if (this.#waiting.length === 0) return false;
    const taken = Math.min(this.#left, this.#waiting.length);
    this.#give(taken);
    this.#left -= taken;
    if (this.#left > 0) return false;
    this.#stage = this.#stage === 'body' ? 'done' : 'chunk-end';
    return true;
  }

  #chunkSize(): boolean {
    const line = this.#line();
    if (line === undefined) return false;
    const size = /^([0-9a-f]{1,8})[\t ]*(?:;[\t\x20-\x7e]*)?$/i.exec(line)?.[1];
    if (size === undefined) throw new BrokenAnswer(MALFORMED);
    this.#left = Number.parseInt(size, 16);
    this.#stage = this.#left === 0 ? 'trailers' : 'chunk';
    return true;
  }

  #chunkEnd(): boolean {
    if (this.#waiting.length < 2) return false;
    if (this.#waiting[0] !== 13 || this.#waiting[1] !== 10) throw new BrokenAnswer(MALFORMED);
    this.#waiting = this.#waiting.subarray(2);
    this.#stage = 'chunk-size';
    return true;
  }

  #trailer(): boolean {
    const line = this.#line();
    if (line === undefined) return false;
    if (line === '') this.#stage = 'done';
    return true;
  }

  #line(): string | undefined {
    const end = this.#waiting.indexOf('\r\n');
    if (end > LONGEST_CHUNK_LINE || (end < 0 && this.#waiting.length > LONGEST_CHUNK_LINE)) {
      throw new BrokenAnswer(MALFORMED);
    }
    if (end < 0) return undefined;
    const line = this.#waiting.toString('latin1', 0, end);
    this.#waiting = this.#waiting.subarray(end + 2);
    return line;
  }

  #give(bytes: number): void {
    this.#bodyBytes += bytes;
    if (this.#bodyBytes > this.#mostBytes) throw new BrokenAnswer(TOO_LARGE);
    if (bytes > 0) this.#sink.data(this.#waiting.subarray(0, bytes));
    this.#waiting = this.#waiting.subarray(bytes);
  }
}

function headersOf(lines: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (!TOKEN.test(name)) throw new BrokenAnswer(MALFORMED);
    const value = line.slice(colon + 1).trim();
    const before = headers.get(name);
    // A repeated equal length counts as one. Different ones are joined, which is not a valid length.
    if (before === undefined || (name === 'content-length' && before === value)) headers.set(name, value);
    else headers.set(name, `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}
