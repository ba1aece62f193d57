import type { StrategyCode } from './daemon-api.js';
import type { DaemonEntry } from './daemon-entry.js';

/** The part of an entry that changes; the rest stays. */
export type StrategyChange =
  | { readonly params: Readonly<Record<string, string>> }
  | { readonly code: StrategyCode };

type Described = Pick<DaemonEntry, 'pair' | 'strategy' | 'params' | 'sha256'>;

/** What a replacement changes, in words: code by its hash, parameters by name. */
export function changeText(before: Described, after: Described): string {
  const isOther = before.sha256 !== after.sha256 || before.strategy !== after.strategy;
  const names = [...new Set([...Object.keys(before.params), ...Object.keys(after.params)])];
  const params = names.flatMap((name) => {
    const [old, now] = [before.params[name], after.params[name]];
    return old === now ? [] : [`${name} ${old ?? 'none'} -> ${now ?? 'none'}`];
  });
  const code = isOther
    ? [`strategy ${before.strategy} ${short(before)} -> ${after.strategy} ${short(after)}`]
    : [];
  const changes = [...code, ...params];
  return `${after.pair}: ${changes.length === 0 ? 'nothing is another' : changes.join(', ')}`;
}

function short({ sha256 }: Described): string {
  return sha256.slice(0, 12);
}
