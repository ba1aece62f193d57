import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type CertifiedThing,
  certificateHash,
  certificateOf,
  certificateProblem,
  refutations,
} from '../../src/certify/certificate.js';
import {
  certifyJobs,
  certifyResult,
  LEAST_SEEDS,
  unrepeated,
  type Violation,
  withRunsOf,
} from '../../src/certify/certify.js';
import type { RunEnd } from '../../src/certify/run-scenario.js';
import { SCENARIOS } from '../../src/certify/scenario.js';

const THING: CertifiedThing = {
  strategy: 'a'.repeat(64),
  pair: 'USD_BTC_PERP',
  params: { fast: '5', slow: '30' },
  limits: { maxPosition: '0.05' },
  onDoubt: 'cancel',
  engine: '0.1.0',
};
const FIGURES = {
  orders: 3,
  fills: 2,
  refusals: { 'max-position': 1 },
  position: 0.5,
  nakedMs: 1_000,
  ordersPerMinute: 2,
  requestsPerMinute: 100,
};
const runOf = (scenario: string, seed: number, breaches: RunEnd['breaches'] = []): RunEnd => ({
  scenario,
  seed,
  faults: 'none',
  breaches,
  figures: FIGURES,
  ranMs: 1,
});
const whole = (scenarios: number, seeds: number) =>
  Array.from({ length: scenarios * seeds }, (_, index) =>
    runOf(`s${index % scenarios}`, Math.floor(index / scenarios) + 1),
  );
const textOf = (runs: readonly RunEnd[]) =>
  JSON.stringify(certificateOf(THING, { name: 'x', file: 'x.ts' }, certifyResult(runs)));
const HASH = certificateHash(THING);

describe('the hash of a certificate', () => {
  it.each<[string, Partial<CertifiedThing>]>([
    ['the code', { strategy: 'b'.repeat(64) }],
    ['the pair', { pair: 'USD_ETH_PERP' }],
    ['a parameter', { params: { fast: '6', slow: '30' } }],
    ['a limit', { limits: { maxPosition: '0.06' } }],
    ['a limit more', { limits: { maxPosition: '0.05', maxOpenOrders: '5' } }],
    ['no limits', { limits: {} }],
    ['what becomes of quotes in doubt', { onDoubt: 'hold' }],
    ['the engine', { engine: '0.1.1' }],
  ])('is another one for another of %s', (_, change) => {
    expect(certificateHash({ ...THING, ...change })).not.toBe(HASH);
  });

  it('does not depend on the order of names', () => {
    const names = fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { maxKeys: 6 });
    fc.assert(
      fc.property(names, (params) => {
        const turned = Object.fromEntries(Object.entries(params).toReversed());
        return certificateHash({ ...THING, params }) === certificateHash({ ...THING, params: turned });
      }),
    );
  });
});

describe('a certificate', () => {
  it('holds when every scenario ran with every set of faults and nothing was found', () => {
    expect(certificateProblem(textOf(whole(3, LEAST_SEEDS)), HASH, 3)).toBeUndefined();
  });

  it('does not hold when there is none, or it cannot be read, or is another one', () => {
    expect(certificateProblem(undefined, HASH, 3)).toContain('there is none');
    expect(certificateProblem('{', HASH, 3)).toBe('it cannot be read');
    expect(certificateProblem('{}', HASH, 3)).toContain('another strategy');
    expect(certificateProblem(JSON.stringify({ hash: HASH }), HASH, 3)).toContain('does not say');
  });

  it('does not hold with fewer scenarios or seeds', () => {
    expect(certificateProblem(textOf(whole(2, LEAST_SEEDS)), HASH, 3)).toContain('2 scenarios, there are 3');
    expect(certificateProblem(textOf(whole(3, LEAST_SEEDS - 1)), HASH, 3)).toContain('8 are needed');
  });

  it('does not hold when nothing was ordered in any scenario, or it does not say so', () => {
    const idle = whole(3, LEAST_SEEDS).map((run) => ({
      ...run,
      figures: { ...FIGURES, orders: 0, fills: 0 },
    }));
    const text = textOf(idle);
    const problem = 'it placed no order in any scenario: nothing was tested';
    expect(certificateProblem(text, HASH, 3)).toBe(problem);
    expect(certificateProblem(text.replace('"orders":0,', ''), HASH, 3)).toBe(problem);
    const [first, ...rest] = idle;
    expect(first).toBeDefined();
    const once = textOf([{ ...(first as RunEnd), figures: { ...FIGURES, orders: 1, fills: 0 } }, ...rest]);
    expect(certificateProblem(once, HASH, 3)).toBeUndefined();
  });

  it('does not hold with a violation, which it names', () => {
    const runs = [
      ...whole(3, LEAST_SEEDS),
      runOf('s1', 4, [{ rule: 'position', timeMs: 5, what: 'too much' }]),
    ];
    expect(certificateProblem(textOf(runs), HASH, 3)).toBe(
      'it says 1 violations, the first one position in s1 with seed 4: too much',
    );
  });
});

describe('a violation that was found with another scenario or seed', () => {
  const [{ name }] = SCENARIOS as unknown as readonly [(typeof SCENARIOS)[number]];
  const breach = { rule: 'position', timeMs: 5, what: 'too much' } as const;
  const foundAt = (scenario: string, seed: number): Violation => ({
    ...breach,
    scenario,
    seed,
    faults: 'none',
  });
  const refuted = textOf([runOf(name, 77, [breach])]);
  const jobs = certifyJobs(LEAST_SEEDS);
  const ends = (of: typeof jobs) => of.map(({ scenario, seed }) => runOf(scenario.name, seed));

  it('is looked at again by the run that makes a certificate, once', () => {
    const earlier = refutations(refuted, HASH);
    expect(earlier).toEqual([foundAt(name, 77)]);
    const more = withRunsOf(jobs, [...earlier, { ...foundAt(name, 77), rule: 'churn' }, foundAt(name, 1)]);
    expect(more).toHaveLength(jobs.length + 1);
    expect(more[0]).toMatchObject({ scenario: { name }, seed: 77 });
    expect(more.slice(1)).toEqual(jobs);
  });

  it('is kept until its own run finds nothing any more', () => {
    const earlier = refutations(refuted, HASH);
    expect(unrepeated(earlier, ends(jobs))).toEqual(earlier);
    expect(unrepeated(earlier, ends(withRunsOf(jobs, earlier)))).toEqual([]);
  });

  it('says nothing about another code, or of a scenario that is no more', () => {
    expect(refutations(refuted, 'b'.repeat(64))).toEqual([]);
    expect(refutations(textOf([runOf('flood', 77, [breach])]), HASH)).toEqual([]);
    for (const text of [undefined, '{', 'null', '{}', JSON.stringify({ hash: HASH, violations: 3 })])
      expect(refutations(text, HASH)).toEqual([]);
  });

  it('makes no seed of all scenarios out of that of one', () => {
    const { scenarios, seeds, runs } = certifyResult(ends(withRunsOf(jobs, [foundAt(name, 77)])));
    expect([scenarios, seeds, runs]).toEqual([SCENARIOS.length, LEAST_SEEDS, jobs.length + 1]);
  });
});

test('runs are added up: sums of what happened, the worst of what is bounded', () => {
  const worse = { ...runOf('s1', 2), figures: { ...FIGURES, position: 0.9, refusals: { tick: 2 } } };
  expect(certifyResult([runOf('s1', 1), worse])).toMatchObject({
    scenarios: 1,
    seeds: 2,
    runs: 2,
    orders: 6,
    fills: 4,
    refusals: { 'max-position': 1, tick: 2 },
    worstPosition: 0.9,
    worstNakedMs: 1_000,
    violations: [],
  });
});
