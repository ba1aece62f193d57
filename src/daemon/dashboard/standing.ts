/** The state of the whole daemon at a glance, and whether the shown figures are current. */
import type { DaemonStatus } from '../daemon-api.js';
import type { Board, Happening } from './board.js';
import { ageText, plain } from './text.js';

/** The daemon sends its status each second; after three missing ones the page is outdated. */
export const STALE_MS = 3_000;

export type Light = 'live' | 'paper' | 'paused' | 'halted' | 'hung' | 'lost' | 'waiting';

export interface Standing {
  readonly light: Light;
  readonly mode: 'LIVE' | 'PAPER' | '';
  /** The state in one or two words. */
  readonly state: string;
  /** Whether the shown figures are current. */
  readonly isFresh: boolean;
  /** Age of the shown figures, ms; `undefined` while there are none. */
  readonly ageMs: number | undefined;
  /** The most important message; `undefined` when the figures can be trusted. */
  readonly alarm: { readonly title: string; readonly text: string } | undefined;
}

export function standingOf({ link, status, factsAt }: Board, now: number): Standing {
  const ageMs = factsAt === undefined ? undefined : Math.max(0, now - factsAt);
  const mode = status === undefined ? '' : status.mode === 'live' ? 'LIVE' : 'PAPER';
  const seen = { mode, ageMs } as const;
  if (link.state === 'over') {
    return {
      ...seen,
      light: 'lost',
      state: 'signed out',
      isFresh: false,
      alarm: {
        title: 'This page is signed out',
        text: `${plain(link.reason)}. Run “tickwright open” for a new link. What is below is old.`,
      },
    };
  }
  if (status === undefined || ageMs === undefined) {
    if (link.state !== 'lost') {
      return { ...seen, light: 'waiting', state: 'connecting', isFresh: false, alarm: undefined };
    }
    return {
      ...seen,
      light: 'lost',
      state: 'no contact',
      isFresh: false,
      alarm: { title: 'The daemon does not answer', text: `${plain(link.reason)}. This page keeps trying.` },
    };
  }
  if (status.state === 'hung') {
    return {
      ...seen,
      light: 'hung',
      state: 'hung',
      isFresh: false,
      alarm: {
        title: 'The engine hangs',
        text: 'The control thread answers, the engine does not: no order is placed or canceled. “tickwright panic --flat” acts without it. What is below is what it said last.',
      },
    };
  }
  if (ageMs > STALE_MS) {
    return {
      ...seen,
      light: 'lost',
      state: 'no contact',
      isFresh: false,
      alarm: {
        title: 'No news from the daemon',
        text: 'It may be trading, or not run at all: this page cannot know. What is below is old. “tickwright status” looks closer; after a new start “tickwright open” makes a new link.',
      },
    };
  }
  return { ...seen, light: lightOf(status), state: status.state, isFresh: true, alarm: undefined };
}

function lightOf({ state, mode }: DaemonStatus): Light {
  switch (state) {
    case 'running':
      return mode;
    case 'paused':
      return 'paused';
    case 'halted':
      return 'halted';
    case 'hung':
      return 'hung';
    case 'unknown':
      return 'lost';
    case 'starting':
    case 'stopping':
      return 'waiting';
  }
}

/** The title of the tab: people and screen readers see it first. */
export function titleOf({ mode, state, isFresh }: Standing): string {
  return `${isFresh ? '' : '⚠ '}${[mode, state].filter((word) => word !== '').join(' ')} · tickwright`;
}

/** The present age of something that was `knownMs` old when the status was made. */
export function ageNow(knownMs: number | undefined, standing: Standing): string {
  return knownMs === undefined ? 'never' : ageText(knownMs + (standing.ageMs ?? 0));
}

export function happeningText(event: Happening): string {
  switch (event.kind) {
    case 'pair-state':
      return `${plain(event.pair, 32)} is ${event.state}: ${plain(event.reason)}`;
    case 'halt':
      return `Halted (${event.halt.level}) by ${plain(event.halt.by, 64)}: ${plain(event.halt.reason)}`;
    case 'resume':
      return `Resumed by ${plain(event.by, 64)}`;
    case 'venue':
      return `The venue ${event.reachable ? 'answers' : 'does not answer'}: ${plain(event.reason)}`;
    case 'strategy-failed':
      return `The strategy on ${plain(event.pair, 32)} is stopped: ${plain(event.reason)}`;
    case 'problem':
      return `${event.severity === 'critical' ? 'Critical' : 'Warning'}: ${plain(event.text)}`;
  }
}
