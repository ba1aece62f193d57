/** The files that a bot and its venue are started with, and the figures of the experiment. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tickwright, type VenueProfile } from '../../../src/client/profile.js';
import { lateBound } from '../../../src/runner/live-gateway.js';

export const PAIR = 'USD_BTC_PERP';
export const KEY = 'kill-key-5a1f';
export const SECRET = 'kill-secret-c0ffee-7b';
export const POLL_MS = 100;

/** Everything is as short as a real process allows, so that many kills fit into an hour. */
export const PROFILE: VenueProfile = { ...tickwright, recvWindowMs: 500, visibilityLagMs: 50 };

/**
 * From the start of the process until the pair is SYNCED, ms: the start itself, the last moment at which an order of
 * the life before can still be executed, two scans T_vis apart, and reads that have to be asked again.
 */
export const SYNCED_BOUND_MS = 5_000 + lateBound(PROFILE) + 2 * PROFILE.visibilityLagMs + 20 * POLL_MS;

const FAULTS = (seed: number) => `version: 1
seed: ${seed}
rules:
  - { fault: lost-response, place: { path: /auth/order }, probability: 0.02 }
  - { fault: lost-request, place: { path: /auth/order }, probability: 0.01 }
  - { name: 503 before, fault: unavailable, executed: false, place: { path: /auth/order }, probability: 0.01 }
  - { name: 503 after, fault: unavailable, executed: true, place: { path: /auth/order }, probability: 0.02 }
  - { name: reset after, fault: reset, executed: true, place: { path: /auth/order }, probability: 0.01 }
  - { name: reset before, fault: reset, executed: false, place: { path: /auth/order }, probability: 0.01 }
  - { fault: late-execution, delay: [50ms, 400ms], answer: unavailable, place: { path: /auth/order }, probability: 0.01 }
  - { name: slow order, fault: delay, delay: [50ms, 400ms], place: { path: /auth/order }, probability: 0.4 }
  - { name: cancel lost, fault: lost-response, place: { path: /auth/cancel }, probability: 0.02 }
  - { name: cancel 503, fault: unavailable, executed: true, place: { path: /auth/cancel }, probability: 0.03 }
  - { name: slow read, fault: delay, delay: [10ms, 150ms], place: { calls: read }, probability: 0.05 }
  - { name: read 503, fault: unavailable, executed: true, place: { calls: read }, probability: 0.01 }
  - { name: read cut, fault: truncated, keep: 0.6, place: { calls: read }, probability: 0.005 }
  - { name: orders later, fault: late-visibility, delay: [10ms, 50ms], place: { path: '*orders' }, probability: 0.1 }
  - { name: fills later, fault: late-visibility, delay: [10ms, 50ms], place: { path: /fills }, probability: 0.1 }
  - { name: old position, fault: stale-read, age: [10ms, 50ms], place: { path: /position }, probability: 0.1 }
`;

const PROFILE_FILE = `base: tickwright
recvWindowMs: ${PROFILE.recvWindowMs}
visibilityLagMs: ${PROFILE.visibilityLagMs}
`;

const CONFIG = (url: string, strategy: string) => `version: 1
mode: live
venue: { url: "${url}", profile: ./profile.yaml }
state: ./state
poll: { trades: ${POLL_MS}ms, position: ${POLL_MS}ms, orders: ${POLL_MS}ms, fills: ${POLL_MS}ms, ticker: 1s }
strategies:
  - file: ${JSON.stringify(strategy)}
    pair: ${PAIR}
limits:
  maxPosition: "0.05"
  maxOrderQuantity: "0.1"
  maxOpenOrders: 20
  maxOrdersPerMinute: 1200
  maxGrossNotional: "1000000"
  maxDailyLoss: "90000"
  priceCollar: "0.05"
`;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The repository: where the bundle of a test program lies is another place than where its source does. */
export function repository(): string {
  for (let folder = ROOT, depth = 0; depth < 6; folder = join(folder, '..'), depth++) {
    if (existsSync(join(folder, 'test', 'evidence', 'kills', 'churn.ts'))) return folder;
  }
  throw new Error(`the repository must be above ${ROOT}, received nothing of it there`);
}

/**
 * A copy of the program, built from the source as it is, so that a build in the middle of an hour of kills changes
 * nothing. @throws when it does not build.
 */
export function copyOfProgram(into: string): string {
  const root = repository();
  execFileSync(process.execPath, [join(root, '.ci', 'setup.mjs')], { cwd: root, stdio: 'inherit' });
  // Of other code nothing is run any more.
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  for (const part of ['dist', 'strategies', 'package.json']) {
    cpSync(join(root, part), join(into, part), { recursive: true });
  }
  return join(into, 'dist', 'cli', 'main.js');
}

export function writeFaults(folder: string, seed: number): string {
  const path = join(folder, 'faults.yaml');
  writeFileSync(path, FAULTS(seed));
  return path;
}

/** Returns the path of the configuration. */
export function writeConfig(folder: string, url: string): string {
  const strategy = join(folder, 'churn.ts');
  cpSync(join(repository(), 'test', 'evidence', 'kills', 'churn.ts'), strategy);
  writeFileSync(join(folder, 'profile.yaml'), PROFILE_FILE);
  const path = join(folder, 'bot.yaml');
  writeFileSync(path, CONFIG(url, strategy));
  return path;
}
