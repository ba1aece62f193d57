import { counted } from '../../model/counted.js';
import type { PairProof, StopProof } from '../../runner/stop/stop-proof.js';
import { momentText } from './moment.js';

/** A stop's proof, or what is missing from it, for people. */
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
  const { canceled, closes, foreign, position, unproven, unattributed } = pair;
  return [
    `${pair.pair}: ${canceled.length === 0 ? 'no order of ours was open' : `${counted(canceled.length, 'order')} canceled (${canceled.join(', ')})`}`,
    ...closes.map(({ side, quantity, outcome }) => `  closing: ${side} ${quantity} reduce-only, ${outcome}`),
    ...(position.before === undefined
      ? []
      : [`  position ${position.before}, then ${position.after ?? 'not known'}`]),
    ...(foreign.length === 0 ? [] : [`  not ours, left alone: ${foreign.join(', ')}`]),
    ...unattributed.map((intent) => `  ${intent} may have come or not; it cannot come any more`),
    ...unproven.map((words) => `  NOT PROVEN ${words}`),
  ];
}
