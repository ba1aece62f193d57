import { useEffect } from 'preact/hooks';
import { setTitle } from './browser.js';
import { Said } from './parts.js';
import { titleOf } from './standing.js';
import { standing, status, theme, toggleTheme } from './store.js';
import { ageText } from './text.js';

const PLACES = [
  ['overview', 'Overview'],
  ['pairs', 'Pairs'],
  ['equity', 'Equity'],
  ['activity', 'Activity'],
  ['backtests', 'Backtests'],
] as const;

/** Mode and state, first and in colour, and how old all of it is. */
export function Header() {
  const now = standing.value;
  const title = titleOf(now);
  useEffect(() => setTitle(title, now.light), [title, now.light]);
  return (
    <header class="top">
      <div class="strip">
        <p class="brand">
          tickwright <span class="brand-venue">{venueOf()}</span>
        </p>
        <p class="mode">
          {now.mode === '' ? null : <strong class={`pill mode-${now.mode.toLowerCase()}`}>{now.mode}</strong>}
          <strong class="pill state">{now.state}</strong>
        </p>
        <p class="fresh">
          <span class={now.isFresh ? 'dot on' : 'dot'} aria-hidden="true" />
          {now.ageMs === undefined ? 'no data yet' : now.isFresh ? 'up to date' : `${ageText(now.ageMs)} old`}
        </p>
        <button type="button" class="quiet" onClick={toggleTheme} aria-pressed={theme.value === 'dark'}>
          Dark
        </button>
      </div>
      <nav aria-label="Parts of this page">
        <ul>
          {PLACES.map(([id, name]) => (
            <li key={id}>
              <a href={`#${id}`}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}

function venueOf() {
  return status.value === undefined ? null : (
    <Said text={status.value.venue.replace(/^https?:\/\//, '')} most={48} />
  );
}
