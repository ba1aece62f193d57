import type { PairStatus } from '../daemon-api.js';
import { Badge, type BadgeTone, Said } from './parts.js';

/** With at most this many cards, no index is needed. */
const FEW = 3;

/** All pairs with their states and links to their cards: among many, the one that waits for a person may be far below. */
export function PairIndex({ pairs }: { readonly pairs: readonly PairStatus[] }) {
  if (pairs.length <= FEW) return null;
  return (
    <ul class="pair-index">
      {pairs.map((pair) => (
        <li key={pair.pair}>
          <a href={`#${encodeURIComponent(anchorOf(pair.pair))}`}>
            <Said text={pair.pair} most={48} />
          </a>{' '}
          <PairBadge {...pair} />
        </li>
      ))}
    </ul>
  );
}

/** The id of a pair's card. */
export function anchorOf(pair: string): string {
  return `pair-${encodeURIComponent(pair.slice(0, 48))}`;
}

/** Where a pair stands, in one word. */
export function PairBadge(pair: PairStatus) {
  const { running, state, failure } = pair;
  return (
    <Badge tone={toneOf(pair)}>{running ? state : failure === undefined ? 'NOT RUNNING' : 'FAILED'}</Badge>
  );
}

function toneOf({ running, state }: PairStatus): BadgeTone {
  if (!running) return 'bad';
  switch (state) {
    case 'SYNCED':
      return 'good';
    case 'SUSPECT':
    case 'RECONCILING':
      return 'warning';
    case 'QUARANTINED':
    case 'HALTED':
      return 'bad';
    default:
      return 'neutral';
  }
}
