import { useEffect, useErrorBoundary } from 'preact/hooks';
import { Activity } from './activity.js';
import { Alarms } from './alarms.js';
import { reload, setTitle } from './browser.js';
import { Controls } from './controls.js';
import { Equity } from './equity-chart.js';
import { Gallery } from './gallery.js';
import { Header } from './header.js';
import { Pairs } from './pair-card.js';
import { plain } from './text.js';
import { broken, isFresh } from './store.js';
import { Overview } from './tiles.js';

export function App() {
  const error: unknown = useErrorBoundary()[0];
  const failure: unknown = error instanceof Error ? error.message : (error ?? broken.value);
  return failure === undefined ? <Whole /> : <Broken reason={failure} />;
}

/** Shown when drawing failed: a page that cannot draw new figures must not keep showing old ones. */
function Broken({ reason }: { readonly reason: unknown }) {
  useEffect(() => setTitle('⚠ page failed · tickwright', 'lost'), []);
  return (
    <main>
      <div role="alert" class="alarm">
        <h1>This page failed</h1>
        <p>
          It shows nothing, since what it showed would be old. The daemon is not touched by this; “tickwright
          status” says how it is.
        </p>
        <p>{plain(reason)}</p>
      </div>
      <button type="button" onClick={reload}>
        Load it again
      </button>
    </main>
  );
}

function Whole() {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Header />
      <Controls />
      <main id="main" tabIndex={-1}>
        <h1 class="unseen">tickwright: a trading daemon</h1>
        <Alarms />
        <Facts />
        <Gallery />
      </main>
    </>
  );
}

/** Everything that becomes outdated. Outdated figures must look different from current ones. */
function Facts() {
  return (
    <div class={isFresh.value ? 'facts-of-now' : 'facts-of-now old'}>
      <Overview />
      <Pairs />
      <Equity />
      <Activity />
    </div>
  );
}
