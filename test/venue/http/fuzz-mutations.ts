/** What can be wrong with a request: with its fields, their encoding, its bytes, its credentials, its head. */
import type { WireRequest } from '../../../src/venue/http/wire.js';
import { sign } from './desk.js';
import type { Dice } from './fuzz-dice.js';
import type { Draft, Field } from './fuzz-grammar.js';
import { METHODS, ODD_NAMES, ODD_VALUES, TYPES } from './fuzz-oddities.js';
import { KEYS, type Key } from './fuzz-venue.js';

export function mutateFields(dice: Dice, draft: Draft): Field[] {
  const fields = draft.fields.map(([name, value]): Field => [name, value]);
  const at = fields.length === 0 ? -1 : dice.integer(0, fields.length - 1);
  const field = fields[at];
  switch (dice.integer(0, 9)) {
    case 0:
      fields.splice(at, 1);
      break;
    case 1:
      if (field !== undefined) fields.push([field[0], dice.chance(0.5) ? field[1] : dice.pick(ODD_VALUES)]);
      break;
    case 2:
      if (field !== undefined) field[0] = dice.pick(ODD_NAMES);
      break;
    case 3:
    case 4:
    case 5:
      if (field !== undefined) field[1] = dice.pick(ODD_VALUES);
      break;
    case 6:
      if (field !== undefined) field[1] = String(Number(field[1]) * 3 * 0.1 + 0.1 + 0.2);
      break;
    case 7:
      fields.push([dice.pick(ODD_NAMES), dice.pick(ODD_VALUES)]);
      break;
    case 8: {
      const other = fields[dice.integer(0, Math.max(0, fields.length - 1))];
      if (field !== undefined && other !== undefined) [field[1], other[1]] = [other[1], field[1]];
      break;
    }
    default:
      if (dice.chance(0.1)) for (let n = 0; n < 2_000; n++) fields.push([`k${n}`, '1']);
      else if (field !== undefined) field[1] = ` ${field[1]}`;
  }
  return fields;
}

/** As clients encode it; a surrogate that stands alone becomes the three bytes that it must not become. */
export function encodeFields(fields: readonly Field[]): string {
  return fields.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

function encode(text: string): string {
  if (/^[\w.]*$/.test(text)) return text;
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffe')).replaceAll(
    '%EF%BF%BE',
    '%ED%A0%80',
  );
}

export function mutateText(dice: Dice, text: string): string {
  const at = dice.integer(0, text.length);
  const insert = (piece: string) => text.slice(0, at) + piece + text.slice(at);
  switch (dice.integer(0, 9)) {
    case 0:
      return insert(
        dice.pick([
          '%',
          '%z',
          '%zz',
          '%u0041',
          '%0',
          '%%',
          '%2',
          '%c0%80',
          '%ed%a0%80',
          '%ff',
          '%fe%ff',
          '%00',
          '%f4%90%80%80',
        ]),
      );
    case 1:
      return insert(
        dice.pick(['&', '&&', '=', '==', ';', '#', '?', '+', ' ', '\t', '\r\n', '\u0000', '[', ']']),
      );
    case 2:
      return text.slice(0, at);
    case 3:
      return text.slice(at);
    case 4:
      return text.replaceAll('=', dice.pick(['', ':', '==', '%3D']));
    case 5:
      return text.replaceAll('&', dice.pick([';', '&amp;', '%26', '&&', '\n']));
    case 6:
      // Every byte escaped: the same request.
      return text.replaceAll(/[a-z_]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    case 7:
      return JSON.stringify(Object.fromEntries([[text, text]]));
    case 8:
      return decodeURIComponent(
        text.replaceAll(/%(?:ED%A0%80|u\w*)/g, '%3F').replaceAll(/%(?![\dA-F]{2})/gi, '%25'),
      );
    default:
      return text + text;
  }
}

const UTF8 = new TextEncoder();

export function mutateBytes(dice: Dice, bytes: Uint8Array): Uint8Array {
  const at = dice.integer(0, bytes.length);
  const insert = (piece: readonly number[]) =>
    Uint8Array.from([...bytes.subarray(0, at), ...piece, ...bytes.subarray(at)]);
  switch (dice.integer(0, 5)) {
    case 0:
      return insert(
        dice.pick([
          [0xc0, 0x80],
          [0xed, 0xa0, 0x80],
          [0xff],
          [0xf8, 0x88, 0x80, 0x80, 0x80],
          [0x80],
          [0],
          [0xe2, 0x82],
        ]),
      );
    case 1:
      return Uint8Array.from(bytes, (byte) => (dice.chance(0.1) ? dice.integer(0, 255) : byte));
    case 2:
      return Uint8Array.from({ length: dice.integer(0, 300) }, () => dice.integer(0, 255));
    case 3:
      return Uint8Array.from(bytes.length === 0 ? [] : [0xef, 0xbb, 0xbf, ...bytes]);
    case 4:
      // Around the limit.
      return padded(bytes, dice.chance(0.05) ? dice.integer(65_535, 65_538) : dice.integer(0, 200));
    default:
      return bytes.subarray(0, at);
  }
}

function padded(bytes: Uint8Array, length: number): Uint8Array {
  const out = new Uint8Array(Math.max(length, bytes.length)).fill(0x61);
  out.set(bytes);
  if (length > bytes.length) out[bytes.length] = 0x26;
  return out;
}

export function mutatePath(dice: Dice, path: string): string {
  switch (dice.integer(0, 9)) {
    case 0:
      return `/..${path}`;
    case 1:
      return `/${path}`;
    case 2:
      return `${path}/`;
    case 3:
      return path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    case 4:
      return path.toUpperCase();
    case 5:
      return (
        path +
        dice.pick([
          '%00',
          '\u0000',
          ';x=1',
          '.json',
          '%',
          '%zz',
          '%2e%2e',
          ' ',
          '\\',
          '?',
          '/..',
          '/.',
          'x'.repeat(9_000),
        ])
      );
    case 6:
      return path.replaceAll('/', dice.pick(['%2F', '%2f', '\\', '//', '/./', '']));
    case 7:
      return dice.pick([
        '',
        '/',
        '*',
        '/info',
        '/ping',
        '/__proto__',
        '/constructor',
        '/toString',
        '/faults',
        '/index',
        '/deposit',
      ]);
    case 8:
      return path.slice(0, dice.integer(0, path.length));
    default:
      return path.slice(1);
  }
}

type Headers = Record<string, string | readonly string[] | undefined>;

/** As the endpoint asks for it, over these bytes. */
export function credentials({ access, who }: Pick<Draft, 'access' | 'who'>, body: Uint8Array): Headers {
  if (access === 'public' || access === 'admin') return {};
  return { 'x-api-key': who.key, ...(access === 'signed' ? { 'x-signature': sign(who.secret, body) } : {}) };
}

export function mutateHeaders(dice: Dice, { who }: Draft, body: Uint8Array): Headers {
  const right = sign(who.secret, body);
  const key = who.key;
  switch (dice.integer(0, 13)) {
    case 0:
      return {};
    case 1:
      return { 'x-signature': right };
    case 2:
      return { 'x-api-key': key };
    case 3:
      return {
        'x-api-key': dice.pick([
          '',
          ' ',
          '__proto__',
          'constructor',
          'nobody',
          `${key} `,
          key.toUpperCase(),
          'x'.repeat(9_000),
        ]),
        'x-signature': right,
      };
    case 4:
      return { 'x-api-key': [key, key], 'x-signature': right };
    case 5:
      return { 'x-api-key': key, 'x-signature': [right, right] };
    case 6:
      return {
        'x-api-key': key,
        'x-signature': dice.pick([
          '',
          ' ',
          '=',
          right.slice(1),
          `${right} `,
          right.toLowerCase(),
          Buffer.from(right, 'base64').toString('hex'),
          right.replace(/=$/, ''),
          'é'.repeat(44),
          'x'.repeat(9_000),
        ]),
      };
    case 7:
      return { 'x-api-key': key, 'x-signature': sign('wrong', body) };
    case 8:
      return { 'x-api-key': key, 'x-signature': sign(who.secret, UTF8.encode(`${String(body.length)}&`)) };
    case 9: {
      const other = dice.pick(KEYS.filter((each) => each !== who));
      return { 'x-api-key': other.key, 'x-signature': right };
    }
    case 10:
      // Somebody else, and rightly so.
      return credentials(signed(dice.pick(KEYS)), body);
    case 11:
      return { ...credentials(signed(who), body), origin: 'https://example.org' };
    case 12:
      return {
        ...credentials(signed(who), body),
        'content-type': [dice.pick(TYPES), dice.pick(TYPES)],
      };
    default:
      return { ...credentials(signed(who), body), 'content-type': dice.pick(TYPES) };
  }
}

function signed(who: Key): Pick<Draft, 'access' | 'who'> {
  return { access: 'signed', who };
}

/** A request, as it should be or with up to four things wrong with it. */
export function requestOf(dice: Dice, draft: Draft): WireRequest {
  const isMutated = dice.chance(0.75);
  const wrong = (probability: number) => isMutated && dice.chance(probability);
  let { fields } = draft;
  while (wrong(0.4)) fields = mutateFields(dice, { ...draft, fields });
  let text = encodeFields(fields);
  if (wrong(0.12)) text = mutateText(dice, text);
  const method = wrong(0.06) ? dice.pick(METHODS) : draft.method;
  const hasBody = draft.method === 'POST';
  let body: Uint8Array = hasBody ? UTF8.encode(text) : new Uint8Array(0);
  if (wrong(0.08)) body = mutateBytes(dice, body);
  const headers = wrong(0.12) ? mutateHeaders(dice, draft, body) : credentials(draft, body);
  const path = wrong(0.05) ? mutatePath(dice, draft.path) : draft.path;
  return { method, path, query: hasBody ? '' : text, headers, body };
}
