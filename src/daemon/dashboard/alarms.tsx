import { happenings, isFresh, link, standing, status, time } from './store.js';
import { happeningText } from './standing.js';
import { Said } from './parts.js';
import { ageText, MOST_WHY } from './text.js';

/** What must be seen before anything else. */
export function Alarms() {
  return (
    <>
      <StaleBanner />
      <Problems />
      <News />
    </>
  );
}

/** The text does not change while it is shown, so that screen readers read it once; only the age beside it changes. */
function StaleBanner() {
  const { alarm, ageMs, light } = standing.value;
  const { nextAt } = link.value;
  const tryIn = nextAt === undefined ? undefined : nextAt - time.value;
  return (
    <div role="alert" class="alarm-place">
      {alarm === undefined ? null : (
        <div class={`alarm ${light}`}>
          <h2>{alarm.title}</h2>
          <p>{alarm.text}</p>
          <p class="alarm-age" aria-hidden="true">
            {ageMs === undefined ? '' : `Last true ${ageText(ageMs)} ago. `}
            {tryIn === undefined ? '' : `Next try in ${ageText(Math.max(0, tryIn))}.`}
          </p>
        </div>
      )}
    </div>
  );
}

/** More than these at once would push positions and orders off the screen. */
const AT_ONCE = 4;
const MOST_PROBLEMS = 200;

function Problems() {
  const problems = status.value?.problems ?? [];
  // "No problems" may only be said while the status is fresh.
  if (problems.length === 0) return isFresh.value ? <p class="calm">No problems</p> : null;
  return (
    <section aria-labelledby="problems-title" class="problems">
      <h2 id="problems-title">
        {problems.length === 1 ? '1 problem' : `${problems.length} problems`}
        {isFresh.value ? '' : ' when it was last heard'}
      </h2>
      <ProblemList texts={problems.slice(0, AT_ONCE)} />
      {problems.length <= AT_ONCE ? null : (
        <details>
          <summary>and {problems.length - AT_ONCE} more</summary>
          <ProblemList texts={problems.slice(AT_ONCE, MOST_PROBLEMS)} />
          {problems.length <= MOST_PROBLEMS ? null : (
            <p>{problems.length - MOST_PROBLEMS} are not shown: “tickwright status” has them all.</p>
          )}
        </details>
      )}
    </section>
  );
}

function ProblemList({ texts }: { readonly texts: readonly string[] }) {
  return (
    <ul>
      {texts.map((text, index) => (
        <li key={`${index} ${text.slice(0, 64)}`}>
          <Said text={text} most={MOST_WHY} />
        </li>
      ))}
    </ul>
  );
}

/** For screen readers: each change of state as it comes, once. */
function News() {
  const newest = happenings.value.at(-1);
  return (
    <p role="status" class="unseen">
      {newest === undefined ? '' : happeningText(newest)}
    </p>
  );
}
