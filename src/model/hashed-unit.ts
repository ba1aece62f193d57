/** A 32-bit hash of a text (FNV-1a, then mixed). Every character counts. */
export function seedOfText(text: string): number {
  let hash = 0x811c9dc5 ^ text.length;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mixed(hash);
}

/**
 * A number in [0, 1) that depends on its three arguments alone. It replaces a random stream where the same value must
 * come out whenever and in whatever order it is asked for. Only the lower 32 bits of each argument count.
 */
export function hashedUnit(seed: number, a: number, b: number): number {
  let hash = mixed(seed ^ Math.imul(a, 0x9e3779b1));
  hash = mixed(hash ^ Math.imul(b, 0x85ebca77));
  return hash / 4_294_967_296;
}

/** The finaliser of MurmurHash3: every bit of the input moves every bit of the output. */
function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
