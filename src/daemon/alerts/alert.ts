import type { AlertKind, AlertSeverity } from '../../config/alert-schema.js';

/** Something that a person who is not looking should hear of. */
export interface Alert {
  readonly kind: AlertKind;
  readonly severity: AlertSeverity;
  /** The same cause has the same key; `undefined`: each one is news. */
  readonly key: string | undefined;
  /** A state begins, and ends by an alert of the same key; or it is over as soon as it is told. */
  readonly phase: 'begin' | 'end' | 'event';
  /** One line. */
  readonly title: string;
  readonly lines: readonly string[];
  /** When it happened, epoch ms. */
  readonly time: number;
  /** Causes whose keys begin so are news again after it. */
  readonly forgets?: string | undefined;
}

/** As the alert that comes after so many of its cause that were not told. */
export function counted(alert: Alert, count: number): Alert {
  const times = count === 1 ? 'once more' : `${count} times more`;
  return { ...alert, lines: [...alert.lines, `it happened ${times} since the last alert of it`] };
}

const RANKS: Readonly<Record<AlertSeverity, number>> = { info: 0, warning: 1, critical: 2 };

function isAtLeast(severity: AlertSeverity, least: AlertSeverity): boolean {
  return RANKS[severity] >= RANKS[least];
}

/** What a receiver wants to hear; an end is wanted where its beginning was. */
export interface AlertFilter {
  /** `undefined`: all but fills and refusals. */
  readonly on: readonly AlertKind[] | undefined;
  readonly minSeverity: AlertSeverity;
}

const ONLY_WHEN_NAMED: readonly AlertKind[] = ['fill', 'refusal'];

export function isWanted(alert: Alert, { on, minSeverity }: AlertFilter): boolean {
  // Who sets a time for the summary wants it.
  if (alert.kind === 'summary') return true;
  const isNamed = on === undefined ? !ONLY_WHEN_NAMED.includes(alert.kind) : on.includes(alert.kind);
  return isNamed && isAtLeast(alert.severity, minSeverity);
}
