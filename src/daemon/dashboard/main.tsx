/** Where the page begins. */
import { render } from 'preact';
import { App } from './app.js';
import { after, applyTheme, every, get, now, onSeen, onUncaught, rootElement, stream } from './browser.js';
import { Feed } from './feed.js';
import { broken, tell, theme, tick } from './store.js';

const TICK_MS = 500;

applyTheme(theme.value, false);
const root = rootElement();
root.replaceChildren();
render(<App />, root);
every(TICK_MS, tick);
onSeen(tick);
onUncaught((message) => {
  broken.value ??= message;
});
new Feed({ stream, get, after, now }, tell).start();
