import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Trade } from '../../src/model/trade.js';

const TAPE = fileURLToPath(
  new URL('../../../shared/data/USD_BTC_PERP-trades-20240808.csv.gz', import.meta.url),
);

/** Path of the real tape, which is not part of the repository; `undefined` where it is absent. CI must have it. */
export const realTapePath: string | undefined = existsSync(TAPE) ? TAPE : undefined;

export const WITHOUT_TAPE = 'the real tape (shared data) is not on this machine';

if (realTapePath === undefined && process.env['CI'] === 'true') throw new Error(`in CI ${WITHOUT_TAPE}`);

/** The tape's rows, read by hand: no code shared with the product. */
export function readRealTape(): Trade[] {
  const [header, ...lines] = gunzipSync(readFileSync(realTapePath as string))
    .toString('utf8')
    .trim()
    .split('\n');
  if (header !== 'id,pair,is_buyer_maker,is_best_match,qty,price,time')
    throw new Error(`unexpected header ${header}`);
  return lines.map((line) => {
    const [id, , maker, , quantity, price, time] = line.split(',') as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    return {
      id,
      time: Number(time),
      price: Number(price),
      quantity: Number(quantity),
      isBuyerMaker: maker === 'true',
    };
  });
}
