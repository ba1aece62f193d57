import { join } from 'node:path';
import { NO_LIMITS } from '../../gate/limits.js';
import { InvariantError } from '../../model/errors.js';
import { shellWord } from '../../model/shell-word.js';
import { realPath } from '../../platform/real-path.js';
import { DEFAULT_PAIR } from '../../venue/catalogue.js';
import { capturePath } from '../session/capture.js';
import { connect, type KeyedConnection } from '../connection/connection.js';
import { madeUpCredentials } from '../connection/credentials.js';
import { withHangNote } from '../hang-note/with-hang-note.js';
import { exitCodeOf, type Finished, runInForeground, sayWhatIsLeft } from '../session/foreground.js';
import { PACKAGE_FOLDER } from '../package.js';
import { parityInChild } from '../session/parity-child.js';
import { startSession } from '../session/session.js';
import { startShown } from '../daemon/shown-session.js';
import type { SessionPlan } from '../session/session-plan.js';
import { type SimulatedVenueOptions, startSimulatedVenue } from '../venue/simulated-venue.js';
import { type LoadedStrategy, loadStrategy, strategyPath } from '../strategy/strategy.js';
import { packageManagerIn } from '../scaffold/package-manager.js';
import { loadTapes, type Tape } from '../venue/tape.js';
import type { ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import type { Settings } from '../option-values.js';
import { type ResultFacts, resultText, sessionResult } from '../session-result.js';
import { lengthText } from '../view/moment.js';
import { printJson, printText, say } from '../view/output.js';

export interface DemoOptions {
  readonly for?: number | undefined;
  readonly speed: number;
  readonly tape?: string | undefined;
  readonly seed: number;
  readonly strategy: string;
  readonly set?: Settings | undefined;
  readonly json?: true | undefined;
  readonly dashboard: boolean;
}

/** Short, so that a person sees something happen within the first second. */
const POLL_MS = 250;
const WARM_UP_MS = 120_000;
/** A lively market with some twenty prints per second, so that quotes fill while a person watches. */
const INTENSITY = 3;
const CASH = '100000';
/** Without --for, the capture keeps the newest inputs of this time, ms. */
const KEPT_MS = 600_000;

export async function demo(options: DemoOptions): Promise<ExitCode> {
  const machine = thisMachine();
  const { seed, speed } = options;
  const strategy = await loadStrategy(
    machine,
    await strategyPath(machine, options.strategy),
    options.set ?? {},
  );
  const tapes = options.tape === undefined ? undefined : await loadTapes(machine.files, [options.tape], []);
  const account = madeUpCredentials(machine.entropy);
  machine.scrubber.add(account.secret);
  const server = await startSimulatedVenue(machine, {
    source: sourceOf(tapes, seed),
    port: 0,
    speed,
    accounts: [account],
  });
  const connection = connect(machine, {
    url: server.url,
    credentials: { apiKey: account.key, apiSecret: account.secret },
  });
  try {
    return await report(await trade(machine, connection, strategy, options), strategy, options);
  } finally {
    await connection.close();
    await server.close();
  }
}

interface Demonstration {
  readonly facts: ResultFacts;
  readonly finished: Finished;
}

async function trade(
  machine: Machine,
  connection: KeyedConnection,
  strategy: LoadedStrategy,
  options: DemoOptions,
): Promise<Demonstration> {
  const [market] = (await connection.api.markets()).values();
  if (market === undefined)
    throw new InvariantError('the embedded venue must list its market, received none');
  const name = strategy.bound.name;
  const path = capturePath(machine, join('var', 'sessions'), `demo-${name}`);
  const plan: SessionPlan = {
    mode: 'live',
    connection,
    market,
    strategy,
    limits: NO_LIMITS,
    seed: String(options.seed),
    every: { trades: POLL_MS, position: POLL_MS, ticker: POLL_MS, orders: POLL_MS },
    warmUpMs: WARM_UP_MS,
    paper: { capital: CASH, latencyMs: 0 },
    capture: { path, keepMs: options.for === undefined ? KEPT_MS : undefined },
  };
  try {
    const finished = await withHangNote({ strategy: name, isLive: false, forMs: options.for }, () =>
      runInForeground(machine, {
        async begin() {
          if (!options.dashboard) return startSession(machine, plan);
          const { session, link } = await startShown(machine, plan);
          await say(`dashboard: ${link} (for the first browser that opens it within a minute)`);
          return session;
        },
        greeting: `${name} trades ${market.pair} on an embedded venue at ${connection.url}; ${ending(options)}`,
        explain: (error) => strategy.explain(error),
        title: `demo · ${name} on ${market.pair} · ${connection.url}`,
        forMs: options.for,
      }),
    );
    const facts = { mode: plan.mode, market, strategy: name, elapsedMs: finished.elapsedMs, capture: path };
    return { facts, finished };
  } catch (error) {
    throw strategy.explain(error);
  }
}

async function report(
  { facts, finished }: Demonstration,
  strategy: LoadedStrategy,
  options: DemoOptions,
): Promise<ExitCode> {
  const { end } = finished;
  const parity = await parityInChild(facts.capture);
  const proven = { ...facts, parity };
  if (options.json === true) await printJson(sessionResult(proven, end));
  else await printText(`${resultText(proven, end)}\n\n${await nextSteps(options, strategy, facts)}`);
  await sayWhatIsLeft(end, parity);
  return exitCodeOf(finished, parity);
}

async function nextSteps(
  options: DemoOptions,
  { params }: LoadedStrategy,
  { capture }: ResultFacts,
): Promise<string> {
  const [param] = Object.entries(params);
  const change = param === undefined ? '' : `; change one with --set ${shellWord(param.join('='))}`;
  const steps: readonly (readonly [command: string, what: string])[] = [
    [`help ${shellWord(options.strategy)}`, `its parameters${change}`],
    ['backtest sma-cross --set bars=1s', 'another strategy, over the recording that ships'],
    ...(await ownProject(thisMachine())),
    [`parity ${shellWord(capture)}`, 'the proof above, once more'],
  ];
  const { run } = await packageManagerIn(thisMachine().files, '.');
  const lines = steps.map(([command, what]) => `  ${run} tickwright ${command}\n      ${what}`);
  return `What to try next:\n${lines.join('\n')}`;
}

/** Suggests where to start an own strategy: outside of our package, or in the existing project. */
async function ownProject({ files }: Machine): Promise<readonly (readonly [string, string])[]> {
  const here = await realPath('.');
  const project = 'a project with a strategy of your own and its test';
  if (here === (await realPath(PACKAGE_FOLDER))) return [['init ../my-bot', project]];
  const isProject = (await files.stat('package.json')) !== undefined;
  return [isProject ? ['new my-idea', 'a strategy of your own and its test'] : ['init my-bot', project]];
}

function ending({ for: forMs }: DemoOptions): string {
  return forMs === undefined ? 'Ctrl-C ends it' : `it ends after ${lengthText(forMs)}`;
}

function sourceOf(tapes: readonly Tape[] | undefined, seed: number): SimulatedVenueOptions['source'] {
  return tapes === undefined
    ? { kind: 'synthetic', seed, pairs: [DEFAULT_PAIR], intensity: INTENSITY }
    : { kind: 'tape', tapes: tapes.slice(0, 1) };
}
