/** The words for a position whose stop was canceled by an end that left the position itself. */
import type { PairProof } from './stop-proof.js';

/** `stops`: ids of those that were canceled. `position`: its size, base units, where it is known. */
export function bareText(stops: readonly string[], position?: string): string {
  const what = position === undefined ? 'the position' : `the position ${position}`;
  return `${what} is left WITHOUT ITS STOP, which was canceled (${stops.join(', ')}): nothing guards it`;
}

/** One for each pair that a proven or unproven stop left so. */
export function bareTexts(pairs: readonly Pick<PairProof, 'pair' | 'bare'>[]): readonly string[] {
  return pairs.flatMap(({ pair, bare }) =>
    bare === undefined ? [] : [`${pair}: ${bareText(bare.stops, bare.position)}`],
  );
}
