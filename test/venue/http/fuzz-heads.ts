/** Bytes that are no good HTTP, for a raw connection: what stands in front of them is, and is answered in order. */
import { sign } from './desk.js';
import type { Dice } from './fuzz-dice.js';
import { KEYS, type Key } from './fuzz-venue.js';

export interface Conversation {
  /** Latin-1, written one after the other. */
  readonly writes: readonly string[];
  /** Ids that good requests ask for and that no order has: each answer names its own. */
  readonly ids: readonly string[];
  /** More answers than there are good requests: how many at least, how many at most. */
  readonly rest: readonly [least: number, most: number];
}

const ANNA = KEYS[0] as Key;
const ORDER = 'pair=USD_BTC_PERP&side=BUY&qty=0.001&price=50000';

function head(line: string, headers: readonly string[] = []): string {
  return `${[line, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`;
}

/** A read or a write that is refused, with the id in its msg. */
function good(dice: Dice, id: string): string {
  if (dice.chance(0.5)) return head(`GET /order?id=${id} HTTP/1.1`, [`x-api-key: ${ANNA.key}`]);
  return post('/auth/cancel', `id=${id}`);
}

function signed(body: string): string[] {
  return [`x-api-key: ${ANNA.key}`, `x-signature: ${sign(ANNA.secret, body)}`];
}

function post(path: string, body: string): string {
  return head(`POST ${path} HTTP/1.1`, [...signed(body), `content-length: ${body.length}`]) + body;
}

/** An order with these headers about its body, and this body. */
function order(headers: readonly string[], body: string): string {
  return head('POST /auth/order HTTP/1.1', [...signed(ORDER), ...headers]) + body;
}

function noise(dice: Dice, length: number): string {
  return Array.from({ length }, () => String.fromCharCode(dice.integer(0, 255))).join('');
}

/** Ends the conversation: one envelope, and the connection is closed. */
function bad(dice: Dice): string {
  const good = head('GET /time HTTP/1.1');
  const long = 'x'.repeat(dice.pick([20_000, 100_000, 500_000]));
  const size = ORDER.length.toString(16);
  return dice.pick([
    () => `${noise(dice, dice.integer(1, 200))}\r\n\r\n`,
    () => 'GET /time\r\n',
    () => 'GET /time\r\n\r\n',
    () =>
      head(
        `${dice.pick(['G T', 'GÉT', 'GET\u0000', 'get', 'BREW', '', 'GETT', '\u0016\u0003\u0001'])} /time HTTP/1.1`,
      ),
    () => head(`GET ${dice.pick(['/ti me', '', '/time\u0000', '/time\u0001', 'time', 'http://'])} HTTP/1.1`),
    () =>
      head(
        `GET /time ${dice.pick(['HTTP/9.9', 'HTTP/1', 'HTTP/', 'HTTQ/1.1', 'http/1.1', 'HTTP/1.1x', 'FTP/1.1', 'HTTP/0.9'])}`,
      ),
    () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    () =>
      head('GET /time HTTP/1.1', [
        dice.pick([
          'no colon',
          ' folded: 1',
          ': no name',
          'na me: 1',
          'n\u0000: 1',
          'n: \u0000',
          'n\u0001: 1',
          '(): 1',
        ]),
      ]),
    () => good.replace('\r\nHost', dice.pick(['\rHost', '\r\r\nHost', '\r\n\rHost'])),
    () => head('GET /time HTTP/1.1', [`x-long: ${long}`]),
    () => head(`GET /${long} HTTP/1.1`),
    () =>
      head(
        'GET /time HTTP/1.1',
        Array.from({ length: 3_000 }, (_, at) => `x-${at}: 1`),
      ),
    () =>
      order(
        [
          `content-length: ${dice.pick(['-1', 'ten', '1e3', '0x10', '99999999999999999999999', '', '1,2', '+5'])}`,
        ],
        ORDER,
      ),
    () => order(['content-length: 48', 'content-length: 49'], ORDER),
    () => order(['transfer-encoding: chunked', 'content-length: 48'], `${size}\r\n${ORDER}\r\n0\r\n\r\n`),
    () =>
      order(
        [`transfer-encoding: ${dice.pick(['gzip', 'chunked, identity', 'chunkedd', 'identity'])}`],
        ORDER,
      ),
    () =>
      order(
        ['transfer-encoding: chunked'],
        `${dice.pick(['zz', '-1', '0x30', ' ', '', 'ffffffffffffffffff', '30;\u0000'])}\r\n${ORDER}\r\n0\r\n\r\n`,
      ),
    () => order(['transfer-encoding: chunked'], `${size}\r\n${ORDER}x\r\n0\r\n\r\n`),
    () => order(['transfer-encoding: chunked'], `${size}\r\n${ORDER.slice(0, dice.integer(0, 40))}`),
    () => order([`content-length: ${ORDER.length + dice.integer(1, 1_000_000)}`], ORDER),
    () => order([`content-length: ${ORDER.length}`], ORDER.slice(0, dice.integer(0, ORDER.length - 1))),
    () => good.slice(0, dice.integer(1, good.length - 1)),
    () => head('CONNECT example.org:443 HTTP/1.1') + noise(dice, dice.integer(0, 50)),
    () => `${head('GET /time HTTP/1.1', ['expect: miracles'])}`,
    () =>
      head('GET /time HTTP/1.1').replace(
        'Host: x',
        `Host: ${dice.pick(['a b', 'a/b', 'a\\c', 'a@b', '<x>', 'é'])}`,
      ),
    () => order([`content-length: ${300_000}`], 'x'.repeat(300_000)),
    () =>
      order(
        ['transfer-encoding: chunked'],
        `${(200_000).toString(16)}\r\n${'x'.repeat(200_000)}\r\n0\r\n\r\n`,
      ),
  ])();
}

/** Strange and yet HTTP: answered, and the connection may go on. */
function odd(dice: Dice): string {
  return dice.pick([
    () =>
      head(
        `${dice.pick(['OPTIONS', 'TRACE', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'PURGE', 'M-SEARCH'])} /time HTTP/1.1`,
      ),
    () => head(`${dice.pick(['OPTIONS', 'GET'])} * HTTP/1.1`),
    () => head('GET http://elsewhere/time?x=1 HTTP/1.1'),
    () =>
      head(
        `GET /time${dice.pick(['/', '?', '?%zz', '//', '/../time', '#x', '%00', '?__proto__=1'])} HTTP/1.1`,
      ),
    () =>
      head('GET /time HTTP/1.1', [
        'connection: upgrade',
        `upgrade: ${dice.pick(['websocket', 'h2c', 'TLS/1.0'])}`,
      ]),
    () =>
      head('POST /auth/order HTTP/1.1', ['connection: upgrade', 'upgrade: websocket', 'content-length: 3']) +
      'a=b',
    () => head('GET /time HTTP/1.1', ['x-api-key: a', 'x-api-key: b', 'content-length: 5']) + '12345',
    () => order(['transfer-encoding: chunked'], `3;ext=1\r\n${ORDER.slice(0, 3)}\r\n0\r\ntrailer: 1\r\n\r\n`),
    () => `\r\n\r\n${head('GET /time HTTP/1.1', ['accept: \t', 'x-high: \u00e9\u00ff'])}`,
    () => head('POST /auth/order HTTP/1.1', ['content-length: 0']),
    () => head('GET /time HTTP/1.1').replace('Host: x\r\n', ''),
  ])();
}

export function conversation(dice: Dice, seed: number): Conversation {
  const ids = Array.from({ length: dice.integer(0, 4) }, (_, at) => `${seed}000${at}`);
  let text = ids.map((id) => good(dice, id)).join('');
  let rest: [number, number] = [0, 0];
  if (dice.chance(0.25)) {
    text += odd(dice);
    rest = [1, 1];
  }
  if (ids.length === 0 || dice.chance(0.85)) {
    text += bad(dice);
    rest = [rest[0] + 1, rest[1] + 1];
  }
  const writes: string[] = [];
  if (dice.chance(0.4)) writes.push(text);
  else {
    // In pieces, which may end anywhere.
    const size = dice.pick([7, 50, 1_000]);
    for (let at = 0; at < text.length && writes.length < 60; ) {
      const end = writes.length === 59 ? text.length : at + dice.integer(1, size);
      writes.push(text.slice(at, end));
      at = end;
    }
  }
  return { writes, ids, rest };
}
