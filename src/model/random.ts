/** A seeded stream of numbers: same seed, same numbers, on every machine. Not for secrets. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Standard normal. */
  normal(): number;
  /** Exponential with mean 1. */
  exponential(): number;
  /** Uniform integer in [low, high], both inclusive. */
  integer(low: number, high: number): number;
  /**
   * An independent stream that depends on this stream's seed and the name. A new consumer with its own fork does not
   * shift the numbers of others.
   */
  fork(name: string): Random;
}

/** sfc32 (Chris Doty-Humphrey's small fast counter, 128 bits of state), seeded through a 32-bit string hash. */
export function seededRandom(seed: string | number): Random {
  const hash = hashText(String(seed));
  let a = hash();
  let b = hash();
  let c = hash();
  let counter = 1;
  for (let round = 0; round < 12; round++) next32();

  function next32(): number {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  }

  const next = () => next32() / 4_294_967_296;
  return {
    next,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    exponential: () => -Math.log(1 - next()),
    integer: (low, high) => low + Math.floor(next() * (high - low + 1)),
    fork: (name) => seededRandom(`${String(seed)}/${name}`),
  };
}

/** xmur3: spreads a text over as many 32-bit words as are asked for. */
function hashText(text: string): () => number {
  let h = 1_779_033_703 ^ text.length;
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 3_432_918_353);
    h = (h << 13) | (h >>> 19);
  }
  return () => {
    h = Math.imul(h ^ (h >>> 16), 2_246_822_507);
    h = Math.imul(h ^ (h >>> 13), 3_266_489_909);
    h ^= h >>> 16;
    return h | 0;
  };
}
