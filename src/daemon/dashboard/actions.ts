/** The actions that the page offers, and the words that a person has to type to confirm them. */
import type { DaemonStatus, StopLevel } from '../daemon-api.js';
import { isRecord } from './message.js';
import { plain } from './text.js';

export type ActionName = 'pause' | 'cancel' | 'flatten' | 'stop' | 'resume';

export interface Action {
  readonly name: ActionName;
  readonly label: string;
  /** What the action does. */
  readonly effect: string;
  /** What the page says once the daemon has accepted it. */
  readonly said: string;
  readonly isGrave: boolean;
}

export const ACTIONS: Readonly<Record<ActionName, Action>> = {
  pause: {
    name: 'pause',
    label: 'Pause',
    effect: 'No new order adds risk until somebody resumes. Orders that are open may stay and be filled.',
    said: 'Pause: done.',
    isGrave: false,
  },
  cancel: {
    name: 'cancel',
    label: 'Cancel all',
    effect:
      'Cancels every own order on every pair, and sends nothing but cancels until somebody resumes. Positions stay.',
    said: 'Cancel all: under way. Orders are shown until they are gone.',
    isGrave: false,
  },
  flatten: {
    name: 'flatten',
    label: 'Flatten',
    effect:
      'Cancels every own order, closes every position in reduce-only slices, and ends the daemon with a proof. The next start stays halted until somebody resumes.',
    said: 'Flatten: under way. The daemon ends; its log and its alert say whether it is proven.',
    isGrave: true,
  },
  stop: {
    name: 'stop',
    label: 'Stop',
    effect: 'Ends the daemon in order. The level says what becomes of orders and positions.',
    said: 'Stop: under way. The daemon ends; its log and its alert say what is left.',
    isGrave: true,
  },
  resume: {
    name: 'resume',
    label: 'Resume',
    effect: 'Takes back the halt that is latched: strategies may place orders again.',
    said: 'Resume: done.',
    isGrave: true,
  },
};

export const STOP_LEVELS: readonly { readonly level: StopLevel; readonly words: string }[] = [
  { level: 'cancel', words: 'cancel own orders, keep positions' },
  { level: 'leave', words: 'leave orders and positions as they are' },
  {
    level: 'flat',
    words: 'cancel own orders and close positions, with a proof; the next start stays halted',
  },
];

/** The actions that make sense in the present state. */
export function offered(status: DaemonStatus | undefined): readonly ActionName[] {
  if (status === undefined) return [];
  const { halted, state } = status;
  // A single pair may be halted while others go on.
  const isWhole = halted !== undefined && state !== 'running' && state !== 'starting';
  return [
    ...(halted === undefined ? [] : (['resume'] as const)),
    ...(isWhole ? [] : (['pause'] as const)),
    'cancel',
    'flatten',
    'stop',
  ];
}

/** The word that must be typed to confirm: the level. `undefined`: the action is not available. */
export function wordOf(
  name: ActionName,
  status: DaemonStatus | undefined,
  stopLevel: StopLevel,
): string | undefined {
  if (name === 'stop') return stopLevel;
  return name === 'resume' ? status?.halted?.level : name;
}

export interface Ask {
  readonly name: ActionName;
  /** The word that the person typed. */
  readonly confirm: string;
  readonly reason: string;
  /** For `resume`: the mark of the halts that the person was shown. */
  readonly mark?: string | undefined;
}

/** The request of an action. */
export function requestOf({ name, confirm, reason, mark }: Ask): {
  readonly path: string;
  readonly body: string;
} {
  const level = name === 'stop' || name === 'resume' ? { level: confirm } : {};
  const latched = name === 'resume' ? { mark } : {};
  return {
    path: `/api/${name}`,
    body: JSON.stringify({ reason: reason.trim(), confirm, ...level, ...latched }),
  };
}

/** Why the daemon did not carry out the action; `undefined`: it did. */
export function refusalOf(status: number, body: unknown): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  const said = isRecord(body) ? plain(body['error']) : '';
  return said === '' ? `the daemon answered ${status}` : said;
}
