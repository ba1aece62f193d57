/** Unpredictable bytes from outside, for keys and session names. Seeded streams are `src/model/random.ts`. */
export interface Entropy {
  bytes(count: number): Uint8Array;
}
