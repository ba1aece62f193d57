/** Reads a file of orders for one market: a JSON array, or one JSON object per line. */
import { UsageError } from '../../model/errors.js';
import { closest } from '../../config/closest.js';
import { FileMissing, type Files } from '../../ports/files.js';
import { checkOrderText, type OrderText } from './order-request.js';

type Check = (value: unknown) => boolean;

const isDecimal: Check = (value) => typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);
const isFlag: Check = (value) => typeof value === 'boolean';
const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value);

/** The allowed values of each key. Bulks take no reduce-only orders (`dialect.md` §2), nor options that imply it. */
const KEYS: Readonly<Record<string, readonly [must: string, check: Check]>> = {
  side: ['buy or sell', oneOf('buy', 'sell')],
  quantity: ['a decimal in quotes', isDecimal],
  price: ['a decimal in quotes', isDecimal],
  timeInForce: ['GTC, IOC or FOK', oneOf('GTC', 'IOC', 'FOK')],
  postOnly: ['true or false', isFlag],
  hidden: ['true or false', isFlag],
  icebergs: ['a whole number of at least 2', (value) => Number.isInteger(value) && Number(value) >= 2],
  triggerPrice: ['a decimal in quotes', isDecimal],
  triggerEvent: ['mark, index or last', oneOf('mark', 'index', 'last')],
  oco: ['a text', (value) => typeof value === 'string' && value !== ''],
  leverage: ['a number above 0', (value) => typeof value === 'number' && value > 0 && Number.isFinite(value)],
};

/** @throws UsageError naming the file, the order and the key. */
export async function readBulkFile(
  files: Files,
  path: string,
): Promise<readonly [OrderText, ...OrderText[]]> {
  const [first, ...rest] = parseBulk(path, await textOf(files, path));
  if (first === undefined) throw wrong(path, 'at least one order', 'none');
  return [first, ...rest];
}

async function textOf(files: Files, path: string): Promise<string> {
  try {
    return await files.readText(path);
  } catch (error) {
    if (error instanceof FileMissing) throw wrong(path, 'a file of orders', 'no such file');
    throw error;
  }
}

export function parseBulk(path: string, text: string): readonly OrderText[] {
  const rows: readonly (readonly [place: string, value: unknown])[] = text.trimStart().startsWith('[')
    ? listOf(path, json(path, text)).map((value, index) => [`${path}[${index}]`, value])
    : text
        .split('\n')
        .map((line, index) => [`${path}:${index + 1}`, line.trim()] as const)
        .filter(([, line]) => line !== '')
        .map(([place, line]) => [place, json(place, line)]);
  return rows.map(([place, value]) => orderText(place, value));
}

function orderText(place: string, value: unknown): OrderText {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(
      place,
      'an order like {"side":"buy","quantity":"0.01","price":"60000"}',
      JSON.stringify(value),
    );
  }
  for (const [key, held] of Object.entries(value)) {
    const known = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (known === undefined) {
      const meant = closest(key, Object.keys(KEYS));
      const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
      throw wrong(place, `one of the keys ${Object.keys(KEYS).join(', ')}`, `${key}${hint}`);
    }
    const [must, check] = known;
    if (!check(held)) throw wrong(`${place} ${key}`, must, JSON.stringify(held) ?? 'nothing');
  }
  if (!('side' in value) || !('quantity' in value))
    throw wrong(place, 'side and quantity', 'an order without');
  const order = value as unknown as OrderText;
  try {
    checkOrderText(order);
  } catch (error) {
    throw error instanceof UsageError ? wrong(place, 'an order', error.message) : error;
  }
  return order;
}

function listOf(path: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong(path, 'a list of orders', 'something else');
  return value as readonly unknown[];
}

function json(place: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrong(place, 'JSON', (error as Error).message);
  }
}

function wrong(place: string, must: string, received: string): UsageError {
  return new UsageError('TICKWRIGHT_E_BULK', `${place}: expected ${must}, received ${received}`);
}
