/**
 * The kind of a rule, without what tells it from others of its kind: `outage-3` becomes `outage`, `write-lost @ 1234`
 * becomes `write-lost`.
 */
export function faultKind(rule: string): string {
  return rule
    .replace(/(?:^outage)?-\d+$/, (end) => (end.startsWith('outage') ? 'outage' : end))
    .replace(/ @ \d+$/, '');
}
