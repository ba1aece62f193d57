import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerReader, BrokenAnswer, requestText } from '../../src/client/http-wire.js';

const MOST = 1_000;

/** What a reader makes of bytes that come in these pieces, and then end. */
function read(pieces: readonly (string | Buffer)[], ends = true) {
  let status: number | undefined;
  let headers: Readonly<Record<string, string>> = {};
  const body: Buffer[] = [];
  const reader = new AnswerReader(
    {
      head: (status_, headers_) => {
        status = status_;
        headers = headers_;
      },
      data: (chunk) => body.push(Buffer.from(chunk)),
    },
    MOST,
  );
  let isWhole = false;
  try {
    for (const piece of pieces) isWhole = isWhole || reader.push(Buffer.from(piece as string, 'latin1'));
    if (!isWhole && ends) {
      reader.end();
      isWhole = true;
    }
  } catch (error) {
    if (!(error instanceof BrokenAnswer)) throw error;
    return { broken: error.code };
  }
  return isWhole ? { status, headers, body: Buffer.concat(body).toString('latin1') } : 'more';
}

const answer = (head: string, body = '') => `HTTP/1.1 ${head}\r\n\r\n${body}`;

describe('a request', () => {
  it('is one head and one body, whose length it tells in bytes', () => {
    const headers = { accept: 'application/json', 'x-api-key': 'k' };
    expect(requestText('venue:80', '/auth/order?x=1', { method: 'POST', headers, body: 'a=ä' })).toBe(
      'POST /auth/order?x=1 HTTP/1.1\r\nhost: venue:80\r\nconnection: close\r\naccept: application/json\r\n' +
        'x-api-key: k\r\ncontent-length: 4\r\n\r\na=ä',
    );
    expect(requestText('venue', '/x', { method: 'POST', headers: {} })).toMatch(/content-length: 0\r\n\r\n$/);
    expect(requestText('venue', '/x', { method: 'GET', headers: {} })).not.toMatch(/content-length/);
  });

  it.each([
    ['/x y', {}],
    ['/x\r\nevil: 1', {}],
    ['x', {}],
    ['/ä', {}],
    ['/x', { 'x-api-key': 'k\r\nevil: 1' }],
    ['/x', { 'x-api-key': 'k\nevil: 1' }],
    ['/x', { 'x-api-key': 'k\u007f' }],
    ['/x', { 'x-api-key': 'ä' }],
    ['/x', { 'x\r\ny': '1' }],
    ['/x', { 'x y': '1' }],
    ['/x', { '': '1' }],
  ])('is not made of path %j and headers %j', (path, headers) => {
    expect(() => requestText('venue', path, { method: 'POST', headers })).toThrow(/must be/);
  });
});

describe('an answer', () => {
  it.each([
    ['a length', answer('200 OK\r\nContent-Length: 5', 'hello'), 'hello'],
    ['the same length twice', answer('200 OK\r\ncontent-length: 5\r\ncontent-length: 5', 'hello'), 'hello'],
    ['a length of nothing', answer('200 OK\r\ncontent-length: 0'), ''],
    ['no length: it ends with the connection', answer('200', 'hello'), 'hello'],
    [
      'chunks',
      answer('200 OK\r\ntransfer-encoding: Chunked', '2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nt: 1\r\n\r\n'),
      'hello',
    ],
    ['bytes of nobody after it', answer('200 OK\r\ncontent-length: 5', 'helloHTTP/1.1 500'), 'hello'],
    [
      'news before it',
      answer('103 Early Hints\r\nlink: x') + answer('200 OK\r\ncontent-length: 5', 'hello'),
      'hello',
    ],
    ['a status that has none', answer('204 No Content'), ''],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 5\r\n\r\nhello', 'hello'],
  ])('with %s is read, however its bytes are cut', (_, text, body) => {
    const whole = read([text]);
    expect(whole).toMatchObject({ body });
    for (let at = 0; at <= text.length; at++) {
      expect(read([text.slice(0, at), text.slice(at)])).toEqual(whole);
    }
    expect(read(Array.from(text))).toEqual(whole);
  });

  it('gives its headers in small letters, repeated ones in one line', () => {
    expect(read([answer('503 Busy\r\nRetry-After:  7 \r\nX: a\r\nx: b\r\ncontent-length: 0')])).toEqual({
      status: 503,
      headers: { 'retry-after': '7', x: 'a, b', 'content-length': '0' },
      body: '',
    });
  });

  it('needs every byte that it has announced', () => {
    const texts = [
      answer('200 OK\r\ncontent-length: 5', 'hello'),
      answer('200 OK\r\ntransfer-encoding: chunked', '5\r\nhello\r\n0\r\n\r\n'),
    ];
    for (const text of texts) {
      for (let at = 0; at < text.length; at++) {
        expect(read([text.slice(0, at)])).toEqual({ broken: 'ECONNRESET' });
        expect(read([text.slice(0, at)], false)).toBe('more');
      }
    }
  });

  it.each([
    ['two lengths', answer('200 OK\r\ncontent-length: 5\r\ncontent-length: 6', 'hello!')],
    ['a length and chunks', answer('200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked', '0\r\n\r\n')],
    ['an encoding nobody asked for', answer('200 OK\r\ntransfer-encoding: gzip, chunked', '0\r\n\r\n')],
    ['a length that is no number', answer('200 OK\r\ncontent-length: +5', 'hello')],
    ['a chunk without a size', answer('200 OK\r\ntransfer-encoding: chunked', 'x\r\n')],
    [
      'a chunk longer than its size',
      answer('200 OK\r\ntransfer-encoding: chunked', '2\r\nhello\r\n0\r\n\r\n'),
    ],
    ['a header without a name', answer('200 OK\r\n: x')],
    ['a folded header', answer('200 OK\r\nx: 1\r\n y', '')],
    ['no status', answer('OK')],
    ['another protocol', answer('101 Switching Protocols')],
    ['no HTTP at all', 'SSH-2.0-OpenSSH\r\n\r\n'],
  ])('with %s is none', (_, text) => {
    expect(read([text])).toEqual({ broken: 'MALFORMED_ANSWER' });
  });

  it.each([
    ['by its length', answer(`200 OK\r\ncontent-length: ${MOST + 1}`)],
    ['by what came', answer('200 OK', 'x'.repeat(MOST + 1))],
    [
      'by its chunks',
      answer('200 OK\r\ntransfer-encoding: chunked', `${(MOST + 1).toString(16)}\r\n${'x'.repeat(MOST + 1)}`),
    ],
    ['by a head without an end', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(70_000)}`],
  ])('that is too large %s is not taken', (_, text) => {
    expect(read([text])).toEqual({ broken: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' });
  });

  it('of any bytes is read, waited for or broken, and nothing else happens', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom(
          'HTTP/1.1 200 OK',
          '\r\n',
          '\r\n\r\n',
          'content-length: 3',
          'transfer-encoding: chunked',
          '3\r\nabc\r\n',
          '0\r\n',
        ),
        fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.replace(/[^\0-\xff]/g, '?')),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const whole = read([parts.join('')]);
        expect(read(parts)).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });
});
