import { NOTHING_TESTED } from '../../certify/certificate.js';
import type { CertifyResult, Violation } from '../../certify/certify.js';
import { RULES } from '../../certify/rule.js';
import type { LimitsConfig } from '../../config/load-config.js';
import { counted } from '../../model/counted.js';
import { certifyCommand, type CertifyLine } from './certify-command.js';

export interface CertifyFacts {
  readonly title: string;
  readonly pair: string;
  readonly hash: string;
  /** Path of the certificate; `undefined` if none was made. */
  readonly file: string | undefined;
  readonly limits: LimitsConfig | undefined;
  /** The command that reproduces a violation. */
  readonly again: (violation: Violation) => string;
}

/** The most violations that are shown in full. */
const MOST_SHOWN = 20;

export function certifyText(result: CertifyResult, facts: CertifyFacts): string {
  const { scenarios, seeds, runs, orders, fills, violations, worstPosition, worstNakedMs } = result;
  const refusals = Object.entries(result.refusals).map(([rule, count]) => `${rule} ${count}`);
  const limits = Object.entries(facts.limits ?? {}).filter(([, bound]) => bound !== undefined);
  const left = violations.length - MOST_SHOWN;
  const more = runs - scenarios * seeds;
  const valid = facts.file === undefined ? [] : [`valid for ${facts.hash.slice(0, 12)}… (${facts.file})`];
  return [
    `${facts.title} on ${facts.pair}: ${counted(scenarios, 'scenario')} × ${counted(seeds, 'seed')} with faults${more > 0 ? ` and ${more} more` : ''} = ${counted(runs, 'run')}: ${counted(violations.length, 'violation')}`,
    `  ${counted(orders, 'order')}, ${counted(fills, 'fill')}; worst position ${Math.round(100 * worstPosition)} % of its bound, worst naked ${Math.round(worstNakedMs / 1_000)} s, ` +
      `at most ${counted(result.worstOrdersPerMinute, 'order')} and ${counted(result.worstRequestsPerMinute, 'request')} a minute`,
    `  refused: ${refusals.length === 0 ? 'nothing' : refusals.join(', ')}`,
    ...(limits.length === 0
      ? ['  no limits are configured: only what the account could pay for was a bound']
      : []),
    ...violations.slice(0, MOST_SHOWN).flatMap((violation) => violationLines(violation, facts.again)),
    ...(left > 0 ? [`… and ${left} more (--json)`] : []),
    ...(orders === 0 ? [`not valid: ${NOTHING_TESTED}`] : violations.length === 0 ? valid : []),
  ].join('\n');
}

function violationLines(violation: Violation, again: CertifyFacts['again']): readonly string[] {
  const { rule, scenario, seed, faults, timeMs, what } = violation;
  return [
    `VIOLATION ${rule} in ${scenario}, seed ${seed} (faults: ${faults}), after ${Math.round(timeMs / 1_000)} s: ${what}`,
    `  ${RULES[rule]}; again: ${again(violation)}`,
  ];
}

/**
 * The command that reproduces a violation. It repeats the values of the command line: with the same code, the run is
 * the same.
 */
export function reproduction(
  name: string,
  line: CertifyLine,
  { scenario, seed }: Pick<Violation, 'scenario' | 'seed'>,
): string {
  return `${certifyCommand(name, line)} --scenario ${scenario} --seed ${seed}`;
}
