/**
 * Kills the packaged bot with -9 at random moments while it trades over HTTP on a venue with faults, starts it again,
 * and holds its journal against what the venue did: real processes, real files, real sockets.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { systemTimers } from '../../src/platform/timers.js';
import { sleep } from '../../src/ports/clock.js';
import { type Child, startNode } from './kills/child.js';
import { KillRun } from './kills/kill-run.js';
import type { KillOptions, KillResult } from './kills/result.js';
import { KEY, POLL_MS, PROFILE, SECRET, SYNCED_BOUND_MS, writeFaults } from './kills/scene.js';

const LOOK_MS = 10;

/** @throws when the venue cannot be started or does not answer; what the bot does wrong is counted. */
export async function runKills(options: KillOptions): Promise<KillResult> {
  rmSync(options.folder, { recursive: true, force: true });
  mkdirSync(options.folder, { recursive: true });
  const faults = writeFaults(options.folder, options.seed);
  const market = ['--synthetic', String(options.seed), '--account', `${KEY}:${SECRET}`];
  const venue = startNode(
    [options.program, 'venue', '--port', '0', '--admin-port', '0', '--faults', faults, ...market],
    { cwd: options.folder, env: {} },
  );
  try {
    const { listening, adminUrl } = await listeningOf(venue);
    const run = new KillRun(options, listening);
    try {
      await run.run();
      return run.result(await struckFaults(adminUrl));
    } finally {
      await run.close();
    }
  } finally {
    venue.kill('SIGKILL');
    await venue.ended;
  }
}

/** What the report says of the experiment. */
export const KILL_FIGURES = {
  pollMs: POLL_MS,
  visibilityMs: PROFILE.visibilityLagMs,
  recvWindowMs: PROFILE.recvWindowMs,
  syncedBoundMs: SYNCED_BOUND_MS,
} as const;

async function listeningOf(venue: Child): Promise<{ readonly listening: string; readonly adminUrl: string }> {
  for (let left = 3_000; left > 0 && !venue.hasEnded; left--) {
    if (venue.stdout.includes('listening') && venue.stdout.includes('\n')) {
      return JSON.parse(venue.stdout) as { readonly listening: string; readonly adminUrl: string };
    }
    await sleep(systemTimers, LOOK_MS);
  }
  throw new Error(`the venue must say where it listens, received ${venue.stdout} ${venue.stderr}`);
}

async function struckFaults(adminUrl: string): Promise<number> {
  const report: unknown = await (await fetch(`${adminUrl}/faults`)).json();
  const { rules = [] } = ((report as { readonly result?: unknown }).result ?? report) as {
    readonly rules?: readonly { readonly struck: number }[];
  };
  return rules.reduce((sum, { struck }) => sum + struck, 0);
}
