import { join } from 'node:path';
import { isLoopback } from '../../client/base-url.js';
import type { FillModelName } from '../../venue/tape/fill-model.js';
import { attachCommand, type StartedWith } from '../../daemon/attach-command.js';
import { UsageError } from '../../model/errors.js';
import type { StrategyConfig } from '../../config/load-config.js';
import { demandPerpetual } from '../../model/market.js';
import { MOST_TICKER_MS } from '../../model/ticker.js';
import { Quarantined } from '../../runner/quarantined.js';
import { capturePath } from '../session/capture.js';
import { withConnection } from '../connection/connection.js';
import { withHangNote } from '../hang-note/with-hang-note.js';
import { exitCodeOf, type Finished, runInForeground, sayWhatIsLeft } from '../session/foreground.js';
import { demandKey } from '../connection/key-check.js';
import { lockKey } from '../connection/key-lock.js';
import { demandLimits, limitsOf, suspenseBound } from '../settings/limits.js';
import { demandUnreadFiles } from '../output/output-file.js';
import { onGridOfJournal } from '../journal/journaled.js';
import { chooseConfigured } from '../settings/pair.js';
import { type ChildParity, parityInChild } from '../session/parity-child.js';
import { haltFilesIn } from '../stop/halt-files.js';
import { startSession } from '../session/session.js';
import type { Mode, SessionAccess, SessionPlan } from '../session/session-plan.js';
import { readSettings, type Settings } from '../settings/settings.js';
import { demandSignature } from '../connection/signature-trial.js';
import { withVenueLots } from '../session/standstill.js';
import { loadConfiguredStrategy, type LoadedStrategy } from '../strategy/strategy.js';
import type { ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import { PersonNeeded } from '../report-error.js';
import { endedUnwritten, unwritten } from '../unwritten.js';
import { capitalOf } from '../settings/capital.js';
import type { AssetAmount, Settings as ParamSettings } from '../option-values.js';
import { type ResultFacts, resultText, sessionResult } from '../session-result.js';
import { printJson, printText, say } from '../view/output.js';
import { recordedText } from '../view/recorded-text.js';
import { standstillText } from '../view/standstill-text.js';

export interface RunOptions {
  readonly venue?: string | undefined;
  readonly pair?: string | undefined;
  readonly live?: true | undefined;
  readonly for?: number | undefined;
  readonly set?: ParamSettings | undefined;
  readonly config?: string | undefined;
  readonly journal?: string | undefined;
  readonly capture?: string | undefined;
  readonly poll?: number | undefined;
  readonly warmUp?: number | undefined;
  readonly latency?: number | undefined;
  readonly fill?: FillModelName | undefined;
  readonly capital?: readonly AssetAmount[] | undefined;
  readonly seed: number;
  readonly json?: true | undefined;
}

const DEFAULT_WARM_UP_MS = 3_600_000;
const DEFAULT_LATENCY_MS = 50;
/** Without --for a session may run for days. Its capture then keeps the newest inputs of this time, ms. */
const KEPT_MS = 600_000;

export async function run(name: string | undefined, options: RunOptions): Promise<ExitCode> {
  const machine = thisMachine();
  const settings = await readSettings(machine, options.config);
  const mode: Mode = options.live === true ? 'live' : 'paper';
  const venue = settings.venue(options.venue);
  if (mode === 'live' && !isLoopback(venue.url)) throw notHere(venue.url);
  if (mode === 'live') demandLimits(venue.url, settings.limits);
  if (mode === 'paper' && settings.mode === 'live') {
    await say('the configuration says mode: live, which also needs --live; this session is on paper');
  }
  if (mode === 'live' && options.journal !== undefined && options.capture !== undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_CAPTURE',
      `--capture must be left out where --live has a --journal, which records all of it, received ${options.capture}`,
    );
  }
  const { strategy, configured } = await loadConfiguredStrategy(
    machine,
    settings,
    name ?? onlyStrategy(settings),
    options,
  );
  if (options.capture !== undefined) {
    await demandUnreadFiles([['--capture', options.capture]], { settings, strategies: [strategy] });
  }
  const trade = async (access: SessionAccess): Promise<ExitCode> => {
    const listed = await chooseConfigured(access.connection.api, settings, options.pair, configured);
    demandPerpetual(listed);
    const { market, noted } =
      access.mode === 'paper' || options.journal === undefined
        ? { market: listed, noted: undefined }
        : await onGridOfJournal(machine.files, options.journal, listed);
    // Otherwise each order would be rejected, and the session would look like one that does not want to trade.
    if (access.mode === 'live') {
      const { api } = access.connection;
      await demandKey(machine, { url: venue.url }, () => demandSignature(api));
    }
    const plan = { ...planOf({ machine, settings, options, access, market, strategy, configured }), noted };
    const quarantineEnd = quarantineEndOf(plan, settings, options);
    const what = `${strategy.bound.name} on ${market.pair}`;
    const ended = await withHangNote(
      { strategy: strategy.bound.name, isLive: access.mode === 'live', forMs: options.for },
      () =>
        runInForeground(machine, {
          begin: (starting) => startSession(machine, { ...plan, watch: { starting } }),
          greeting: machine.area === undefined ? `${mode}: ${what} at ${venue.url}` : undefined,
          explain: (error) => strategy.explain(error),
          title: `${mode} · ${what} · ${venue.url}`,
          forMs: options.for,
        }),
    ).catch((error: unknown) => {
      if (error instanceof Quarantined) throw new PersonNeeded(error, quarantineEnd);
      throw strategy.explain(error);
    });
    const finished = await withHeld(ended, access, market);
    // Without --for the capture lacks the first inputs, and without all of them nothing can be recomputed.
    const isWhole = options.for !== undefined && finished.end.captureFailure === undefined;
    const parity = isWhole ? await parityInChild(finished.end.capture) : undefined;
    const error = await report(plan, { finished, parity, json: options.json === true });
    if (finished.end.standstill !== undefined) {
      // No journal keeps what is halted on paper.
      const journal = access.mode === 'live' ? options.journal : undefined;
      const folders = journal === undefined ? [] : [journal];
      // A disk that does not tell must not hide how the session ended.
      const [haltFile] = await haltFilesIn(machine.files, folders).catch(() => []);
      await say(standstillText(market.pair, finished.end.standstill, { quarantineEnd, journal, haltFile }));
    }
    return endedUnwritten(exitCodeOf(finished, parity), error);
  };
  if (mode === 'paper') return withConnection(machine, venue, (connection) => trade({ mode, connection }));
  const withKeys = await settings.venueWithKeys(options);
  const key = await lockKey(withKeys);
  try {
    return await withConnection(machine, withKeys, (connection) => trade({ mode, connection }));
  } finally {
    await key.release();
  }
}

/**
 * Adds the venue's position to a standstill. A daemon does not ask for it: it must end its pairs within the deadline of
 * whoever stops it.
 */
async function withHeld(
  finished: Finished,
  access: SessionAccess,
  market: SessionPlan['market'],
): Promise<Finished> {
  const { end } = finished;
  if (end.standstill === undefined || access.mode === 'paper') return finished;
  const standstill = await withVenueLots(end.standstill, access.connection.api, market, end.position);
  return { ...finished, end: { ...end, standstill } };
}

function planOf(parts: {
  readonly machine: Machine;
  readonly settings: Settings;
  readonly options: RunOptions;
  readonly access: SessionAccess;
  readonly market: SessionPlan['market'];
  readonly strategy: LoadedStrategy;
  readonly configured: StrategyConfig | undefined;
}): SessionPlan {
  const { machine, settings, options, access, market, strategy, configured } = parts;
  const poll = (name: keyof Settings['poll']) => options.poll ?? settings.poll[name];
  const folder = options.journal ?? join(settings.state, 'sessions');
  return {
    ...access,
    market,
    strategy,
    limits: limitsOf(market, settings),
    maxSuspense: suspenseBound(market, settings.limits),
    onDoubt: configured?.onDoubt,
    seed: String(options.seed),
    every: {
      trades: poll('trades'),
      orders: poll('orders'),
      ...(access.mode === 'live' ? { position: poll('position') } : {}),
      // Even if other polls are slow, the ticker's must be fast enough that the mark does not become too old to count.
      ticker: Math.min(poll('ticker'), MOST_TICKER_MS),
    },
    warmUpMs: options.warmUp ?? configured?.warmUp ?? DEFAULT_WARM_UP_MS,
    paper: {
      capital: capitalOf(market, options.capital),
      latencyMs: options.latency ?? DEFAULT_LATENCY_MS,
      fill: options.fill,
    },
    journal: options.journal,
    capture: {
      path: options.capture ?? capturePath(machine, folder, strategy.bound.name),
      keepMs: options.for === undefined ? KEPT_MS : undefined,
    },
  };
}

/** Resolves to why the result could not be printed, if it could not. */
async function report(
  plan: SessionPlan,
  {
    finished: { end, elapsedMs },
    parity,
    json,
  }: { readonly finished: Finished; readonly parity: ChildParity | undefined; readonly json: boolean },
): Promise<Error | undefined> {
  const facts: ResultFacts = {
    mode: plan.mode,
    market: plan.market,
    strategy: plan.strategy.bound.name,
    elapsedMs,
    capture: end.capture,
    parity,
  };
  const isAll = plan.mode === 'live' && plan.journal !== undefined;
  const recorded = recordedText(end.capture, { isAll, keepMs: plan.capture.keepMs });
  const error = await unwritten(
    json ? printJson(sessionResult(facts, end)) : printText(`${resultText(facts, end)}\n\n${recorded}`),
  );
  await sayWhatIsLeft(end, parity);
  return error;
}

/** How a person ends a quarantine; `undefined` without a journal, as the quarantine then ends with the session. */
function quarantineEndOf(
  { market }: SessionPlan,
  { file }: Settings,
  { journal, venue, config }: RunOptions,
): string | undefined {
  if (journal === undefined) return undefined;
  const given: StartedWith = { journal, venue, config: config === undefined ? undefined : file };
  const shows = attachCommand('--plan', market.pair, given);
  return `${shows} shows it; ${attachCommand('--accept', market.pair, given)} ends it`;
}

function onlyStrategy({ strategies, file }: Settings): string {
  const [only, ...others] = strategies;
  if (only !== undefined && others.length === 0) return only.file;
  const received = file === undefined ? 'no configuration' : `${strategies.length} of them in ${file}`;
  throw new UsageError(
    'TICKWRIGHT_E_STRATEGY_FILE',
    `a strategy must be named where the configuration does not name exactly one, received ${received}`,
  );
}

function notHere(url: string): UsageError {
  return new UsageError(
    'TICKWRIGHT_E_LIVE',
    `--live must be for a simulated venue on this machine, received ${url}: ` +
      'a real venue takes a daemon (tickwright start --config FILE --live, with mode: live, limits, key files and a ' +
      'certificate); leave --live out to trade it on paper',
  );
}
