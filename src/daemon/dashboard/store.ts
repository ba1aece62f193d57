/** The state of the page as signals. Bursts of messages are shown together, a few times a second. */
import { computed, signal } from '@preact/signals';
import { emptyBoard, nextBoard, type BoardMessage } from './board.js';
import { after, applyTheme, now, onSystemTheme, preferredTheme, type Theme } from './browser.js';
import { standingOf } from './standing.js';

const SHOWN_EVERY_MS = 200;

let newest = emptyBoard(now());
let isDue = false;

export const board = signal(newest);
/** The page's clock, updated twice a second. */
export const time = signal(now());
/** Why the page can show nothing any more; `undefined` while it can. */
export const broken = signal<string | undefined>(undefined);

// Parts of the board, so that a change of one does not redraw what depends on another.
export const standing = computed(() => standingOf(board.value, time.value));
export const isFresh = computed(() => standing.value.isFresh);
export const status = computed(() => board.value.status);
export const access = computed(() => board.value.access);
export const link = computed(() => board.value.link);
export const fills = computed(() => board.value.fills);
export const logs = computed(() => board.value.logs);
export const refusals = computed(() => board.value.refusals);
export const happenings = computed(() => board.value.happenings);
export const equity = computed(() => board.value.equity);

export function tell(message: BoardMessage): void {
  newest = nextBoard(newest, message);
  if (isDue) return;
  // In a background tab the browser delays timers, but not messages.
  const waited = now() - time.value;
  if (waited >= SHOWN_EVERY_MS) show();
  else {
    isDue = true;
    after(SHOWN_EVERY_MS - waited, show);
  }
}

function show(): void {
  isDue = false;
  tick();
  board.value = newest;
}

export function tick(): void {
  time.value = now();
}

export const theme = signal<Theme>(preferredTheme());
let isChosen = false;

export function toggleTheme(): void {
  isChosen = true;
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  applyTheme(theme.value, true);
}

onSystemTheme(() => {
  if (isChosen) return;
  theme.value = preferredTheme();
  applyTheme(theme.value, false);
});
