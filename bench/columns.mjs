import { TradeColumns } from '../src/storage/rows/trade-columns.ts';

// A tape for benchmarks, as columns, with the texture of a real one (a BTC perpetual: 64 % of prints at the price of the
// print before, 75 % in its millisecond, 62 a second, mostly the same aggressor) and a crossing of the averages of 10
// and 30 prints on every 26th, twice as often as there.
export const ROWS = 65_536;
const FIRST_ID = 2_100_000_000;
const ID_LENGTH = 10;

function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function benchColumns(seed, count) {
  const next = random(seed);
  const time = new Float64Array(count);
  const price = new Float64Array(count);
  const quantity = new Float64Array(count);
  const isBuyerMaker = new Uint8Array(count);
  let now = 1_700_000_000_000;
  let ticks = 600_000;
  let buys = true;
  for (let i = 0; i < count; i++) {
    if (next() < 0.25) now += 1 + Math.floor(-64 * Math.log(1 - next()));
    const turns = next() < 0.2;
    if (turns) buys = !buys;
    // A turn crosses the spread; else the aggressor eats a level now and then.
    if (turns || next() < 0.2) ticks += buys ? 1 : -1;
    time[i] = now;
    price[i] = ticks / 10;
    quantity[i] = (1 + Math.floor(next() * 99)) / 1_000;
    isBuyerMaker[i] = buys ? 0 : 1;
  }
  return { count, time, price, quantity, isBuyerMaker };
}

/** Ids of ten digits that count up, as bytes one after the other. */
export function benchIds(count) {
  const ids = Buffer.alloc(count * ID_LENGTH);
  for (let i = 0; i < count; i++) ids.latin1Write(String(FIRST_ID + i), i * ID_LENGTH);
  return ids;
}

/** The columns in chunks as a recording hands them out: views of what was read, of which ids are decoded when asked for. */
export function* chunksOf({ count, time, price, quantity, isBuyerMaker, ids }) {
  const chunk = new TradeColumns(0);
  const idStarts = Int32Array.from({ length: ROWS + 1 }, (_, row) => row * ID_LENGTH);
  for (let from = 0; from < count; from += ROWS) {
    const to = Math.min(from + ROWS, count);
    chunk.show({
      count: to - from,
      time: time.subarray(from, to),
      price: price.subarray(from, to),
      quantity: quantity.subarray(from, to),
      isBuyerMaker: isBuyerMaker.subarray(from, to),
      idStarts,
      ids: ids.subarray(from * ID_LENGTH, to * ID_LENGTH),
    });
    yield chunk;
  }
}
