/** What may be asked of the daemon from the page, and what has to be typed for it. */
import type { DaemonStatus, StopLevel } from '../daemon-api.js';
import { isRecord } from './message.js';
import { plain } from './text.js';

export type ActionName = 'pause' | 'cancel' | 'flatten' | 'stop' | 'resume';

export interface Action {
  readonly name: ActionName;
  readonly label: string;
  /** What will have happened when it was done. */
  readonly effect: string;
  readonly isGrave: boolean;
}

export const ACTIONS: Readonly<Record<ActionName, Action>> = {
  pause: {
    name: 'pause',
    label: 'Pause',
    effect: 'No order adds risk until somebody resumes. Orders that are open stay open.',
    isGrave: false,
  },
  cancel: {
    name: 'cancel',
    label: 'Cancel all',
    effect: 'Pauses, and cancels every own order on every pair. Positions stay.',
    isGrave: false,
  },
  flatten: {
    name: 'flatten',
    label: 'Flatten',
    effect:
      'Pauses, cancels every own order, closes every position in reduce-only slices, and ends the daemon.',
    isGrave: true,
  },
  stop: {
    name: 'stop',
    label: 'Stop',
    effect: 'Ends the daemon in order. The level says what becomes of orders and positions.',
    isGrave: true,
  },
  resume: {
    name: 'resume',
    label: 'Resume',
    effect: 'Takes back the halt that is latched: strategies may place orders again.',
    isGrave: true,
  },
};

export const STOP_LEVELS: readonly { readonly level: StopLevel; readonly words: string }[] = [
  { level: 'cancel', words: 'cancel own orders, keep positions' },
  { level: 'leave', words: 'leave orders and positions as they are' },
  { level: 'flat', words: 'cancel own orders and close positions' },
];

/** Which can be asked for now. */
export function offered(status: DaemonStatus | undefined): readonly ActionName[] {
  if (status === undefined) return [];
  return status.halted === undefined
    ? ['pause', 'cancel', 'flatten', 'stop']
    : ['resume', 'cancel', 'flatten', 'stop'];
}

/** What must be typed back: the level. `undefined`: there is nothing to ask for. */
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
  /** Typed back. */
  readonly confirm: string;
  readonly reason: string;
}

/** The request of an action. */
export function requestOf({ name, confirm, reason }: Ask): { readonly path: string; readonly body: string } {
  const level = name === 'stop' || name === 'resume' ? { level: confirm } : {};
  return { path: `/api/${name}`, body: JSON.stringify({ reason: reason.trim(), confirm, ...level }) };
}

/** Why what was asked was not done; `undefined`: it was. */
export function refusalOf(status: number, body: unknown): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  const said = isRecord(body) ? plain(body['error']) : '';
  return said === '' ? `the daemon answered ${status}` : said;
}
