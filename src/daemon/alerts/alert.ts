import type { AlertKind, AlertSeverity } from '../../config/alert-schema.js';

/** Something that a person who is not watching should hear of. */
export interface Alert {
  readonly kind: AlertKind;
  readonly severity: AlertSeverity;
  /** Alerts of the same cause have the same key; `undefined`: each one is told. */
  readonly key: string | undefined;
  /** `begin` and `end` of a state, which share a key; `event`: over as soon as it is told. */
  readonly phase: 'begin' | 'end' | 'event';
  /** One line. */
  readonly title: string;
  readonly lines: readonly string[];
  /** When it happened, epoch ms. */
  readonly time: number;
  /** After this alert, alerts whose keys begin with this are told again. */
  readonly forgets?: string | undefined;
}

/** The alert, with the number of alerts of its cause that were not told. */
export function counted(alert: Alert, count: number): Alert {
  const times = count === 1 ? 'once more' : `${count} times more`;
  return { ...alert, lines: [...alert.lines, `it happened ${times} since the last alert of it`] };
}

const RANKS: Readonly<Record<AlertSeverity, number>> = { info: 0, warning: 1, critical: 2 };

function isAtLeast(severity: AlertSeverity, least: AlertSeverity): boolean {
  return RANKS[severity] >= RANKS[least];
}

/** Which alerts a receiver wants. The end of a state is wanted if its beginning was. */
export interface AlertFilter {
  /** `undefined`: all kinds except fills and refusals. */
  readonly on: readonly AlertKind[] | undefined;
  readonly minSeverity: AlertSeverity;
}

const ONLY_WHEN_NAMED: readonly AlertKind[] = ['fill', 'refusal'];

export function isWanted(alert: Alert, { on, minSeverity }: AlertFilter): boolean {
  // The summary is sent only if a time is configured for it, so it is wanted in any case.
  if (alert.kind === 'summary') return true;
  const isNamed = on === undefined ? !ONLY_WHEN_NAMED.includes(alert.kind) : on.includes(alert.kind);
  return isNamed && isAtLeast(alert.severity, minSeverity);
}
