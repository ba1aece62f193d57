import { counted } from '../../model/counted.js';
import { heldText } from '../../runner/journaled-pair.js';
import { bareText } from '../../runner/stop/bare-position.js';
import type { PairProof, StopProof } from '../../runner/stop/stop-proof.js';
import { momentText } from './moment.js';

/** The proof of a stop, or what is missing from it, for people. */
export function proofText(proof: StopProof, file: string | undefined): string {
  const what = proof.level === 'flat' ? 'flat, no own order' : 'no own order';
  const verdict = proof.proven
    ? `${what}, proven at ${momentText(proof.endedAt)}`
    : 'NOT PROVEN: look at the venue yourself';
  return [
    ...proof.pairs.flatMap(pairLines),
    verdict,
    file === undefined ? 'the proof could not be written' : `proof: ${file}`,
  ].join('\n');
}

function pairLines(pair: PairProof): readonly string[] {
  const { bare, booked, closes, foreign, liquidated, position, unproven, unattributed, unwritten } = pair;
  return [
    `${pair.pair}: ${canceledText(pair)}`,
    ...closeLines(closes),
    ...(position.before === undefined
      ? journaledLines(pair)
      : [`  position ${position.before}, then ${position.after ?? 'not known'}`]),
    ...(booked === undefined
      ? []
      : [
          `  its journal says ${booked}: the venue (a liquidation) or somebody else traded, the next start finds out`,
        ]),
    ...(unwritten === true
      ? [
          '  its closing orders are not in its journal, which could not be written: the next start quarantines the pair until tickwright attach --accept',
        ]
      : []),
    ...(bare === undefined ? [] : [`  ${bareText(bare.stops, bare.position)}`]),
    ...(liquidated === undefined ? [] : [`  ${liquidated}; it stays halted until tickwright resume`]),
    ...(foreign.length === 0 ? [] : [`  not ours, left alone: ${foreign.join(', ')}`]),
    ...unattributed.map((intent) => `  ${intent} may have come or not; it cannot come any more`),
    ...unproven.map((words) => `  NOT PROVEN ${words}`),
  ];
}

/** A venue that refuses to close may do so at every try: equal lines in a row become one. */
function closeLines(closes: PairProof['closes']): readonly string[] {
  const runs: { readonly line: string; count: number }[] = [];
  for (const { side, quantity, outcome } of closes) {
    const line = `  closing: ${side} ${quantity} reduce-only, ${outcome}`;
    const last = runs.at(-1);
    if (last?.line === line) last.count++;
    else runs.push({ line, count: 1 });
  }
  return runs.map(({ line, count }) => (count === 1 ? line : `${line} (${count} times)`));
}

/** Only a proof allows to say that no order was open. */
function canceledText({ canceled, proven }: PairProof): string {
  if (canceled.length > 0) return `${counted(canceled.length, 'order')} canceled (${canceled.join(', ')})`;
  return proven ? 'no order of ours was open' : 'no order was canceled';
}

function journaledLines({ journaled }: PairProof): readonly string[] {
  const held = journaled && heldText(journaled);
  return held === undefined ? [] : [`  position ${held} by its journal, at the venue not known`];
}
