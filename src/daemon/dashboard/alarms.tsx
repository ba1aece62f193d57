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

/** The text stands still, so that it is read out once; only the age beside it moves. */
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

const MOST_PROBLEMS = 20;

function Problems() {
  const problems = status.value?.problems ?? [];
  const more = problems.length - MOST_PROBLEMS;
  // That there are none is said only of now.
  if (problems.length === 0) return isFresh.value ? <p class="calm">No problems</p> : null;
  return (
    <section aria-labelledby="problems-title" class="problems">
      <h2 id="problems-title">
        {problems.length === 1 ? '1 problem' : `${problems.length} problems`}
        {isFresh.value ? '' : ' when it was last heard'}
      </h2>
      <ul>
        {problems.slice(0, MOST_PROBLEMS).map((text, index) => (
          <li key={`${index} ${text.slice(0, 64)}`}>
            <Said text={text} most={MOST_WHY} />
          </li>
        ))}
        {more > 0 ? <li>and {more} more</li> : null}
      </ul>
    </section>
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
