/** `outage-3` and `write-lost @ 1234` are one kind with their likes. */
export function faultKind(rule: string): string {
  return rule
    .replace(/(?:^outage)?-\d+$/, (end) => (end.startsWith('outage') ? 'outage' : end))
    .replace(/ @ \d+$/, '');
}
