import { join } from 'node:path';
import { certificateHash, certificateOf, certificatePath, refutations } from '../../certify/certificate.js';
import {
  certifyJobs,
  certifyResult,
  type CertifyResult,
  LEAST_SEEDS,
  unrepeated,
  type Violation,
  withRunsOf,
} from '../../certify/certify.js';
import { RULES } from '../../certify/rule.js';
import { SCENARIOS } from '../../certify/scenario.js';
import { UsageError } from '../../model/errors.js';
import { PRIVATE_DIRECTORY } from '../../storage/journal/journal-layout.js';
import { parallelThreads } from '../../platform/process.js';
import { catalogueMarket, DEFAULT_PAIR } from '../../venue/catalogue.js';
import { certifyInThreads } from '../certify/certify-in-threads.js';
import { certifiedThing } from '../certify/certify.js';
import { limitsOf } from '../settings/limits.js';
import { packageVersion } from '../package.js';
import { readSettings } from '../settings/settings.js';
import { loadConfiguredStrategy } from '../strategy/strategy.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import type { Settings as ParamSettings } from '../option-values.js';
import { certifyText, reproduction } from '../view/certify-view.js';
import { printJson, printText, say } from '../view/output.js';

export interface CertifyOptions {
  readonly config?: string | undefined;
  readonly set?: ParamSettings | undefined;
  readonly pair?: string | undefined;
  readonly seeds: number;
  readonly scenario?: string | undefined;
  readonly seed?: number | undefined;
  readonly json?: true | undefined;
}

/** Limited, because each thread holds a venue, a market and a bot in memory. */
const MOST_THREADS = 4;

/** Exit code 3 when a rule was broken, or when no run placed an order, so that no rule could be broken. */
export async function certify(name: string, options: CertifyOptions): Promise<ExitCode> {
  const machine = thisMachine('error');
  const { files, area, timers, clock, environment } = machine;
  const settings = await readSettings(machine, options.config);
  const { strategy, configured } = await loadConfiguredStrategy(machine, settings, name, options);
  const pair = options.pair ?? configured?.pair ?? DEFAULT_PAIR;
  const market = catalogueMarket(pair);
  const onDoubt = configured?.onDoubt ?? 'cancel';
  const engine = await packageVersion(files);
  const thing = certifiedThing(strategy, { pair, onDoubt, limits: settings.limits, engine });
  const hash = certificateHash(thing);
  const path = certificatePath(settings.state, hash);
  const isAsked =
    options.scenario === undefined && options.seed === undefined && options.seeds >= LEAST_SEEDS;
  const jobs = isAsked
    ? withRunsOf(jobsOf(options), await refutedBefore(machine, path, hash))
    : jobsOf(options);
  const startedAt = clock.monotonic();
  let done = 0;
  let broken = 0;
  const { runs, isWhole: allRan } = await certifyInThreads({
    data: {
      file: strategy.file,
      params: strategy.params,
      pair,
      limits: limitsOf(market, settings),
      onDoubt,
      environment,
    },
    jobs,
    threads: Math.min(MOST_THREADS, parallelThreads()),
    clock,
    timers,
    onRun({ scenario, seed, breaches }) {
      done++;
      broken += breaches.length;
      area?.show([
        `${done} of ${jobs.length} runs (${scenario}, seed ${seed}), violations so far: ${broken}`,
      ]);
    },
  });
  const found = certifyResult(runs);
  area?.show([]);
  const isWhole = allRan && isAsked;
  // A single violation revokes an earlier certificate of the same thing, even if not all runs completed.
  const refutes = found.violations.length > 0;
  // Read again, because another certification may have written violations meanwhile.
  const others = unrepeated(await refutedBefore(machine, path, hash), runs);
  const known = { ...found, violations: [...found.violations, ...others] };
  if (isWhole || refutes) {
    await files.makeDirectory(join(settings.state, 'certificates'), PRIVATE_DIRECTORY);
    const certificate = certificateOf(thing, { name: strategy.definition.name, file: strategy.file }, known);
    await files.writeAtomic(path, `${JSON.stringify(certificate)}\n`);
  }
  const result = isAsked ? known : found;
  const again = (violation: CertifyResult['violations'][number]) => reproduction(name, options, violation);
  const file = isWhole || refutes ? path : undefined;
  const isValid = isWhole && result.violations.length === 0 && result.orders > 0;
  if (options.json === true) {
    const violations = result.violations.map((violation) => ({
      ...violation,
      claim: RULES[violation.rule],
      reproduce: again(violation),
    }));
    await printJson({
      ...result,
      violations,
      strategy: strategy.definition.name,
      pair,
      hash,
      valid: isValid,
      ...(file === undefined ? {} : { certificate: file }),
    });
  } else {
    const { name: title } = strategy.definition;
    await printText(certifyText(result, { title, pair, hash, file, limits: settings.limits, again }));
  }
  if (!isWhole) {
    const words = refutes
      ? `not valid: what was found is in ${path}`
      : `no certificate is written: it takes all ${SCENARIOS.length} scenarios with ${LEAST_SEEDS} seeds at least`;
    await say(words + (allRan ? '' : `; after ${runs.length} of ${jobs.length} runs nothing more was run`));
  }
  await say(`${((clock.monotonic() - startedAt) / 1_000).toFixed(1)} s`);
  return isValid || (!isWhole && result.violations.length === 0) ? EXIT.ok : EXIT.checkFailed;
}

/** Violations that an existing certificate lists for this very thing. */
async function refutedBefore({ files }: Machine, path: string, hash: string): Promise<readonly Violation[]> {
  const isThere = (await files.stat(path))?.kind === 'file';
  return refutations(isThere ? await files.readText(path) : undefined, hash);
}

function jobsOf({ scenario: name, seed, seeds }: CertifyOptions): ReturnType<typeof certifyJobs> {
  if (name !== undefined && !SCENARIOS.some((scenario) => scenario.name === name)) {
    throw new UsageError(
      'TICKWRIGHT_E_SCENARIO',
      `--scenario must be one of ${SCENARIOS.map((scenario) => scenario.name).join(', ')}, received ${name}`,
    );
  }
  return certifyJobs(Math.max(seeds, seed ?? 1)).filter(
    (job) => (name === undefined || job.scenario.name === name) && (seed === undefined || job.seed === seed),
  );
}
