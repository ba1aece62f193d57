// A tape for benchmarks, as columns: a random walk in ticks that crosses its averages of 10 and 30 trades on about
// every 25th trade, in bursts (most trades share their millisecond with another), some 60 trades a second.
export const ROWS = 65_536;

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
  for (let i = 0; i < count; i++) {
    if (next() < 0.16) now += 1 + Math.floor(-100 * Math.log(1 - next()));
    const move = next();
    const down = move < 0.5;
    ticks += down ? -1 : 1;
    if (ticks < 300_000) ticks += 2;
    time[i] = now;
    price[i] = ticks / 10;
    quantity[i] = (1 + Math.floor(next() * 99)) / 1_000;
    isBuyerMaker[i] = down ? 1 : 0;
  }
  return { count, time, price, quantity, isBuyerMaker };
}

/** The columns in chunks as a recording hands them out. */
export function* chunksOf({ count, time, price, quantity, isBuyerMaker }) {
  for (let from = 0; from < count; from += ROWS) {
    const to = Math.min(from + ROWS, count);
    yield {
      count: to - from,
      time: time.subarray(from, to),
      price: price.subarray(from, to),
      quantity: quantity.subarray(from, to),
      isBuyerMaker: isBuyerMaker.subarray(from, to),
      id: (row) => String(from + row + 1),
    };
  }
}
