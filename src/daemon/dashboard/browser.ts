/** The only place of the dashboard that touches the browser: time, timers, requests, the theme. */
import type { Answer, FeedPorts } from './feed.js';

/** A request without an answer after this long counts as failed, ms. */
const ANSWER_MS = 4_000;
/** If the wall clock has advanced this much more than the monotonic clock, the machine slept; ms. */
const SLEPT_MS = 1_500;

let lastMono = performance.now();
let lastWall = Date.now();
let slept = 0;

/** Monotonic ms that go on while the machine sleeps, which `performance.now()` does not everywhere. */
export function now(): number {
  const mono = performance.now();
  const wall = Date.now();
  const leap = wall - lastWall - (mono - lastMono);
  if (leap > SLEPT_MS) slept += leap;
  lastMono = mono;
  lastWall = wall;
  return mono + slept;
}

export function after(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
}

export function every(ms: number, task: () => void): () => void {
  const timer = setInterval(task, ms);
  return () => clearInterval(timer);
}

export const get: FeedPorts['get'] = (path, patienceMs) => ask(path, {}, patienceMs);

export function post(path: string, body: string, csrf: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-control-token': csrf };
  return ask(path, { method: 'POST', headers, body });
}

async function ask(path: string, init: RequestInit, patienceMs = ANSWER_MS): Promise<Answer> {
  const gaveUp = new AbortController();
  const cancel = after(patienceMs, () => gaveUp.abort());
  try {
    const response = await fetch(path, {
      ...init,
      signal: gaveUp.signal,
      cache: 'no-store',
      redirect: 'error',
    });
    const text = await response.text();
    return { status: response.status, body: jsonOf(text) };
  } finally {
    cancel();
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const stream: FeedPorts['stream'] = ({ onOpen, onData, onEnd }) => {
  const source = new EventSource('/api/events');
  source.onopen = onOpen;
  source.onmessage = ({ data }) => onData(String(data));
  source.onerror = () => {
    // EventSource itself would reconnect forever and at its own pace.
    source.close();
    onEnd();
  };
  return () => source.close();
};

export type Theme = 'light' | 'dark';

const THEME = 'tickwright-theme';

/** The theme chosen on this machine earlier, else the system's. */
export function preferredTheme(): Theme {
  try {
    const chosen = localStorage.getItem(THEME);
    if (chosen === 'light' || chosen === 'dark') return chosen;
  } catch {
    // Storage may be forbidden: then the system decides each time.
  }
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function applyTheme(theme: Theme, isChosen: boolean): void {
  document.documentElement.dataset['theme'] = theme;
  if (!isChosen) return;
  try {
    localStorage.setItem(THEME, theme);
  } catch {
    // The choice then holds for this page only.
  }
}

export function onSystemTheme(task: () => void): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', task);
}

export function setTitle(title: string, light: string): void {
  if (document.title !== title) document.title = title;
  document.documentElement.dataset['light'] = light;
}

/** The value of a custom property of the style sheet, for what is drawn on a canvas. */
export function styleOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Tells the width of an element now and whenever it changes. Returns what ends it. */
export function onWidth(element: Element, task: (width: number) => void): () => void {
  const observer = new ResizeObserver(() => task(Math.floor(element.clientWidth)));
  observer.observe(element);
  return () => observer.disconnect();
}

/** Runs the task when the tab becomes visible: timers of hidden tabs are delayed. */
export function onSeen(task: () => void): void {
  document.addEventListener('visibilitychange', task);
}

/** Something failed that nobody caught. */
export function onUncaught(task: (message: string) => void): void {
  // An error event without an error object is a mere remark of the browser, e.g. about ResizeObserver loops.
  addEventListener('error', ({ error, message }) => {
    if (error instanceof Error) task(message);
  });
  addEventListener('unhandledrejection', ({ reason }) => task(String(reason)));
}

/** Sets a performance mark for measuring tools; only the first call of a name counts. */
export function mark(name: string): void {
  if (performance.getEntriesByName(name).length === 0) performance.mark(name);
}

export const reload = (): void => location.reload();

export const pixelRatio = (): number => devicePixelRatio;

export function rootElement(): Element {
  const element = document.getElementById('app');
  if (element === null) throw new Error('the page must have an element with the id app, received none');
  return element;
}
