import type { PairStatus } from '../daemon-api.js';
import { limitWords } from './pair-words.js';
import { Said } from './parts.js';
import { usedFraction } from './series.js';
import { plain } from './text.js';

/** Each limit with a bar of how much of it is used. */
export function LimitBars({ limits, pair }: Pick<PairStatus, 'limits' | 'pair'>) {
  if (limits.length === 0) return <p class="empty">No limits are set.</p>;
  return (
    <ul class="limits" aria-label={`Limits of ${plain(pair, 32)}`}>
      {limits.map((limit) => {
        const { rule, used, bound } = limit;
        const fraction = usedFraction(rule, used, bound);
        const percent = fraction === undefined ? 0 : Math.round(100 * fraction);
        const words = limitWords(limit);
        return (
          <li key={rule}>
            <span class="limit-name">
              <Said text={rule} most={40} />
            </span>
            <span class="limit-use">{words}</span>
            <span
              class={`meter ${percent >= 90 ? 'bad' : percent >= 70 ? 'warning' : ''}`}
              role="meter"
              aria-label={plain(rule, 40)}
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuenow={percent}
              aria-valuetext={words}
            >
              <span style={{ width: `${percent}%` }} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
