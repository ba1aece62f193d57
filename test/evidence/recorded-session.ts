/**
 * A real session of the packaged bot over HTTP with faults, minutes long, recorded and then executed again by another
 * process: by the clock, so never in CI.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemTimers } from '../../src/platform/timers.js';
import { sleep } from '../../src/ports/clock.js';
import { changeOneInput } from './changed-input.js';
import { type Child, startNode } from './kills/child.js';
import { KEY, SECRET, writeConfig, writeFaults } from './kills/scene.js';

export interface RecordedSessionOptions {
  /** The built program: dist/cli/main.js of this repository or of a copy. */
  readonly program: string;
  /** Is made, and removed at the end unless something is wrong. */
  readonly folder: string;
  readonly seconds: number;
  readonly seed: number;
}

export interface RecordedSessionResult {
  readonly seed: number;
  readonly seconds: number;
  readonly orders: number;
  readonly fills: number;
  /** Turns of the session, what it sent, wrote down and decided in them. */
  readonly events: number;
  readonly requests: number;
  readonly records: number;
  readonly decisions: number;
  /** Compressed, on the disk. */
  readonly bytes: number;
  readonly replaySeconds: number;
  /** All of it is the same, and so is the hash that the session said at its end. */
  readonly identical: boolean;
  readonly decisionHash: string;
  readonly firstDifference: unknown;
  /** The turn whose answer was then made another one, and whether a replay named exactly that; 0: not tried. */
  readonly changedTurn: number;
  readonly named: boolean;
}

const LOOK_MS = 20;
const KEYS = { TICKWRIGHT_VENUE__API_KEY: KEY, TICKWRIGHT_VENUE__API_SECRET: SECRET };

/** @throws when a program cannot be started, or says nothing. */
export async function runRecordedSession(options: RecordedSessionOptions): Promise<RecordedSessionResult> {
  const { program, folder, seconds, seed } = options;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const market = ['--synthetic', String(seed), '--account', `${KEY}:${SECRET}`];
  const faults = ['--faults', writeFaults(folder, seed)];
  const venue = startNode([program, 'venue', '--port', '0', ...market, ...faults], { cwd: folder, env: {} });
  try {
    const config = ['--config', writeConfig(folder, await addressOf(venue))];
    const args = ['run', '--live', '--journal', 'bot', ...config, '--for', `${seconds}s`, '--json'];
    const end = documentOf(await ended(startNode([program, ...args], { cwd: folder, env: KEYS })));
    const startedAt = performance.now();
    const path = String(end['capture']);
    const replay = async () =>
      documentOf(await ended(startNode([program, 'replay', path, '--json'], { cwd: folder, env: {} })));
    const again = await replay();
    const replaySeconds = Math.round(performance.now() - startedAt) / 1_000;
    const count = (document: Document, name: string) => Number(document[name]);
    const identical =
      again['identical'] === true &&
      again['end'] === 'orderly' &&
      again['decisionHash'] === end['decisionHash'];
    const bytes = sizeOf(join(folder, path));
    const changedTurn = identical ? changeOneInput(join(folder, path)) : 0;
    const difference = identical ? ((await replay())['firstDifference'] as Difference) : undefined;
    const named = difference?.event === changedTurn && difference.kind !== 'damage';
    const result: RecordedSessionResult = {
      seed,
      seconds,
      orders: count(end, 'orders'),
      fills: count(end, 'fills'),
      events: count(again, 'events'),
      requests: count(again, 'requests'),
      records: count(again, 'records'),
      decisions: count(again, 'decisions'),
      bytes,
      replaySeconds,
      identical,
      decisionHash: String(end['decisionHash']),
      firstDifference: again['firstDifference'] ?? (named ? undefined : difference),
      changedTurn,
      named,
    };
    if (named) rmSync(folder, { recursive: true, force: true });
    return result;
  } finally {
    venue.kill('SIGKILL');
    await venue.ended;
  }
}

type Difference = { readonly kind: string; readonly event: number } | undefined;
type Document = Readonly<Record<string, unknown>>;

async function ended(child: Child): Promise<Child> {
  await child.ended;
  return child;
}

function documentOf({ stdout, stderr }: Child): Document {
  try {
    return JSON.parse(stdout) as Document;
  } catch {
    throw new Error(`the program must print one JSON document, received ${stdout} ${stderr}`);
  }
}

async function addressOf(venue: Child): Promise<string> {
  for (let left = 1_500; left > 0 && !venue.hasEnded; left--) {
    if (venue.stdout.includes('\n')) {
      return (JSON.parse(venue.stdout) as { readonly listening: string }).listening;
    }
    await sleep(systemTimers, LOOK_MS);
  }
  throw new Error(`the venue must say where it listens, received ${venue.stdout} ${venue.stderr}`);
}

function sizeOf(directory: string): number {
  const sizes = readdirSync(directory).map((name) => statSync(join(directory, name)).size);
  return sizes.reduce((sum, size) => sum + size, 0);
}
