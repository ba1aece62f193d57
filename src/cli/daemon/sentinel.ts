/**
 * A process that watches a daemon from outside and, if the daemon cannot end in a known state, ends it (`product.md`
 * C15).
 */
import type { Alert } from '../../daemon/alerts/alert.js';
import { breachAlert, provenAlert, wellAlert } from '../../daemon/alerts/life-alerts.js';
import { BreachBook, type Outcome } from '../../daemon/sentinel/breach-book.js';
import { type Breach, SentinelJudge, type Sight } from '../../daemon/sentinel/judge.js';
import { type Round, round } from '../../daemon/sentinel/round.js';
import { counted } from '../../model/counted.js';
import { processSignals } from '../../platform/signals.js';
import { sleep } from '../../ports/clock.js';
import { JournalHeld } from '../../storage/journal/journal-lock.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Machine } from '../machine.js';
import { say } from '../view/output.js';
import { tellReceivers } from './alerts.js';
import type { KeyedConnectionOptions } from '../connection/connection.js';
import { endDaemon } from './end-daemon.js';
import { hearVenue } from './hear-venue.js';
import { lockSentinel } from './sentinel-lock.js';
import { SentinelLook } from './sentinel-look.js';
import { StopAttempts } from './stop-attempts.js';
import type { Settings } from '../settings/settings.js';
import { bareTexts } from '../../runner/stop/bare-position.js';
import { stopBot } from '../stop/stop-bot.js';

export interface SentinelPlan {
  readonly settings: Settings;
  /** `undefined` on paper, where nothing is at a venue: the sentinel then only sends alerts. */
  readonly venue: KeyedConnectionOptions | undefined;
  /** The sentinel ends with the daemon, or after it has acted. */
  readonly once: boolean;
}

const LOOK_MS = 1_000;
const STOP_MS = 60_000;
/** How long an alert may take to arrive, ms. */
const ALERT_GRACE_MS = 60_000;
/** If no daemon appears within this time, ms, none is expected any more. */
const COMES_WITHIN_MS = 180_000;

/** @throws JournalHeld when another sentinel watches this state */
export async function runSentinel(machine: Machine, plan: SentinelPlan): Promise<ExitCode> {
  const { clock, log } = machine;
  const { settings, once } = plan;
  const over = new AbortController();
  let rival: JournalHeld | undefined;
  const lock = await lockSentinel(machine, {
    state: settings.state,
    waits: once,
    onHeld(error) {
      rival = error;
      over.abort(error);
    },
  });
  const release = processSignals.onStop(() => over.abort(new Error('asked to end')));
  const judge = new SentinelJudge({ bounds: settings.sentinel, everyMs: LOOK_MS });
  const startedAt = clock.monotonic();
  const book = new BreachBook();
  const attempts = new StopAttempts(machine.files);
  const daemon = new SentinelLook(machine, settings.state);
  const steps: Round = {
    judge,
    book,
    now: () => clock.monotonic(),
    onBreach: (breach) => tell(breachAlert(breach, clock.wall())),
    onWell(ended) {
      log.info('sentinel: the daemon is well again', { was: ended.map(({ kind }) => kind) });
      tell(wellAlert(ended, clock.wall()));
    },
    async act(breach) {
      const { level } = settings.sentinel;
      const onProven = (bare: readonly string[]) => tell(provenAlert(breach, { level, bare }, clock.wall()));
      return act(machine, { ...plan, book, attempts, onProven }, breach);
    },
  };
  let code: ExitCode = EXIT.ok;
  let hasSeen = false;
  const { level: stop, hung, dead, blind } = settings.sentinel;
  log.info('sentinel: watching', { state: settings.state, stop, hung, dead, blind });
  try {
    while (!over.signal.aborted) {
      const sight = await daemon.look();
      const outcome = await round(steps, sight);
      if (outcome !== undefined)
        code = outcome === 'again' || outcome === 'later' ? EXIT.stopNotProven : EXIT.ok;
      hasSeen ||= sight.kind !== 'absent';
      if (once && isOver(sight)) break;
      await sleep(machine.timers, LOOK_MS, over.signal).catch(() => undefined);
    }
    if (rival !== undefined) throw rival;
    return code;
  } finally {
    release();
    await lock.release();
  }

  /** Does not wait for the delivery: acting is more urgent than telling. */
  function tell(alert: Alert): void {
    const { mode } = settings;
    tellReceivers(machine, { settings, mode, alert }, ALERT_GRACE_MS).catch((error: unknown) =>
      log.warn('sentinel: nobody can be told', { error: String(error) }),
    );
  }

  function isOver(sight: Sight): boolean {
    if (sight.kind === 'dead') return book.isDone(sight);
    if (sight.kind !== 'absent') return false;
    return hasSeen || clock.monotonic() - startedAt > COMES_WITHIN_MS;
  }
}

async function act(
  machine: Machine,
  {
    settings,
    venue,
    book,
    attempts,
    onProven,
  }: SentinelPlan & {
    readonly book: BreachBook;
    readonly attempts: StopAttempts;
    /** With the positions that are left without the stop that guarded them. */
    readonly onProven: (bare: readonly string[]) => void;
  },
  breach: Breach,
): Promise<Outcome> {
  const { log, clock } = machine;
  const { kind, words, process } = breach;
  const { level } = settings.sentinel;
  if (kind === 'blind' && venue !== undefined) {
    const isFirst = !book.wasDeaf(process);
    if (!book.isAlone(breach, await hearVenue(machine, venue), clock.monotonic())) {
      if (isFirst) {
        log.error('sentinel: the venue does not answer here either: the daemon is left alone until it does', {
          words,
          process,
        });
        await say(`sentinel: blind: ${words}; the venue does not answer here either`);
      }
      return 'later';
    }
  }
  log.error('sentinel: the daemon cannot be relied on', { breach: kind, words, process, stop: level });
  await say(`sentinel: ${kind}: ${words}`);
  if (venue === undefined) return 'told';
  if (kind !== 'dead') {
    const ended = await endDaemon(machine, settings.state, { patienceMs: 0, only: process });
    log.warn('sentinel: the daemon was ended', { ended });
  }
  try {
    const stopped = await stopBot(
      machine,
      { settings, venue },
      {
        level,
        // The halt stays latched, so that a supervisor that restarts the daemon does not open the positions again.
        latches: level === 'flat',
        all: false,
        deadlineMs: STOP_MS,
        by: 'sentinel',
        reason: `${kind}: ${words}`,
      },
    );
    const { proof, file } = stopped;
    await attempts.note(process, stopped);
    const canceled = proof.pairs.flatMap((pair) => pair.canceled).length;
    const unproven = proof.pairs.flatMap((pair) => pair.unproven.map((what) => `${pair.pair}: ${what}`));
    const bare = bareTexts(proof.pairs);
    log.error(proof.proven ? 'sentinel: stopped, and proven' : 'sentinel: the stop is not proven', {
      stop: level,
      canceled,
      unproven,
      ...(bare.length === 0 ? {} : { bare }),
      proof: file,
    });
    await say(
      proof.proven
        ? `sentinel: ${counted(canceled, 'order')} canceled, ${level} is proven${file === undefined ? '' : `: ${file}`}`
        : `sentinel: not proven: ${unproven.join('; ')}`,
    );
    for (const text of bare) await say(`sentinel: ${text}`);
    if (!proof.proven) return 'again';
    onProven(bare);
    return 'proven';
  } catch (error) {
    if (!(error instanceof JournalHeld)) throw error;
    log.warn('sentinel: another process works on the journal; it is watched from now on', {
      error: error.message,
    });
    return 'later';
  }
}
