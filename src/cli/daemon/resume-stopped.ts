/**
 * Ends the halts of a daemon that does not run, in the journals of its pairs and in its own files. A pair that fails keeps
 * no other one from being resumed.
 */
import { basename, join } from 'node:path';
import { clearBlocked, isBlocked } from '../../daemon/blocked-file.js';
import { keepHalts, readHalts } from '../../daemon/halts-file.js';
import { type Halt, sameHalt, strongestOf } from '../../model/halt-level.js';
import { holdsJournal } from '../journal/bot-folders.js';
import type { Machine } from '../machine.js';
import { demandNoHaltFile } from '../stop/halt-files.js';
import { resumeJournal, type Word } from '../stop/resume-journal.js';

export interface StoppedDaemon {
  readonly state: string;
  readonly folders: readonly string[];
}

/** What became of the halts. Pairs and daemons are named as people know them. */
export interface ResumedDaemon {
  /** What is halted or blocked no more. */
  readonly lifted: readonly string[];
  /** The levels that ended. */
  readonly levels: readonly string[];
  /** Pairs on which no risk is added all the same. */
  readonly quarantined: readonly string[];
  /** The person said no to a part. */
  readonly isRefused: boolean;
  readonly failures: readonly Failure[];
  /** What stays halted because of the failures. */
  readonly kept: readonly { readonly daemon: string; readonly held: Halt }[];
}

export interface Failure {
  readonly what: string;
  readonly error: unknown;
}

interface Latched {
  readonly mode: 'live' | 'paper';
  readonly daemon: string;
  readonly halts: readonly Halt[];
  readonly held: Halt;
}

/** `undefined`: the person said no, and nothing has changed. */
export async function resumeStopped(
  machine: Machine,
  { state, folders }: StoppedDaemon,
  word: Word,
): Promise<ResumedDaemon | undefined> {
  const { files } = machine;
  const latched = await latchedIn(machine, state);
  for (const { daemon, held } of latched) {
    const question = `${daemon}, halted (${held.level}) by ${held.by}: ${held.reason}, may add risk again at its next start`;
    if (!(await word.consents(question))) return undefined;
    await demandNoHaltFile(files, state);
  }
  const pairs = await resumePairs(machine, { state, folders }, word);
  const failures = [...pairs.failures];
  const kept: Latched[] = [];
  const ended: Latched[] = [];
  // The last to go: whatever ends this process before, the next start is halted.
  for (const each of latched) {
    // It also holds back a pair that failed, which may have no halt of its own once a person has mended it. On paper no
    // journal counts.
    if (each.mode === 'live' && pairs.failures.length > 0) {
      kept.push(each);
      continue;
    }
    try {
      await endLatched(machine, state, each);
      ended.push(each);
    } catch (error) {
      failures.push({ what: each.daemon, error });
    }
  }
  return {
    ...pairs,
    lifted: [...ended.map(({ daemon }) => daemon), ...pairs.lifted],
    levels: [...ended.map(({ held }) => held.level), ...pairs.levels],
    failures,
    kept,
  };
}

/** Only what the person has seen, not what was latched since, which a HALT file shows where its words are the same. */
async function endLatched({ files }: Machine, state: string, { mode, halts }: Latched): Promise<void> {
  await demandNoHaltFile(files, state);
  const found = await readHalts(files, state, mode);
  const since = found.filter((halt) => !halts.some((seen) => sameHalt(seen, halt)));
  await keepHalts(files, state, mode, since);
}

async function latchedIn({ files }: Machine, state: string): Promise<readonly Latched[]> {
  const latched: Latched[] = [];
  for (const mode of ['live', 'paper'] as const) {
    const halts = await readHalts(files, state, mode);
    const held = strongestOf(halts);
    const daemon = `the daemon ${mode === 'live' ? '' : 'on paper '}of ${state}`;
    if (held !== undefined) latched.push({ mode, daemon, halts, held });
  }
  return latched;
}

async function resumePairs(
  machine: Machine,
  { state, folders }: StoppedDaemon,
  word: Word,
): Promise<Omit<ResumedDaemon, 'kept'>> {
  const lifted: string[] = [];
  const levels: string[] = [];
  const waiting: string[] = [];
  const failures: Failure[] = [];
  let isRefused = false;
  for (const folder of folders) {
    const pair = basename(folder);
    try {
      const { halt, isLifted, isDenied, quarantined } = await resumePair(machine, { state, folder }, word);
      if (isLifted) lifted.push(pair);
      if (isLifted && halt !== undefined) levels.push(halt);
      isRefused ||= isDenied;
      waiting.push(...quarantined);
    } catch (error) {
      failures.push({ what: pair, error });
    }
  }
  return { lifted, levels, quarantined: waiting, isRefused, failures };
}

interface ResumedPair {
  readonly halt: string | undefined;
  readonly isLifted: boolean;
  readonly isDenied: boolean;
  readonly quarantined: readonly string[];
}

async function resumePair(
  machine: Machine,
  { state, folder }: { readonly state: string; readonly folder: string },
  word: Word,
): Promise<ResumedPair> {
  const { files } = machine;
  // An empty journal is that of a pair which begins anew: it has no halt.
  const {
    halt,
    resumed = false,
    quarantined = [],
  } = (await holdsJournal(files, join(folder, 'journal'))) ? await resumeJournal(machine, folder, word) : {};
  if (halt !== undefined && !resumed) return { halt, isLifted: false, isDenied: true, quarantined };
  if (!(await isBlocked(files, folder))) return { halt, isLifted: resumed, isDenied: false, quarantined };
  const question = `the strategy of ${basename(folder)}, which ended the daemon of ${state}, may run again at its next start`;
  const isGranted = await word.consents(question);
  const isUnblocked = isGranted && (await clearBlocked(files, folder));
  return { halt, isLifted: resumed || isUnblocked, isDenied: !isGranted, quarantined };
}
