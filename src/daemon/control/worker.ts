/** The control thread: serves the socket and the loopback port, and watches the heartbeat of the engine's thread. */
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { UsageError } from '../../model/errors.js';
import { systemClock } from '../../platform/clock.js';
import { systemEntropy } from '../../platform/entropy.js';
import { nodeFiles } from '../../platform/files.js';
import { serveLoopback, serveSocket } from '../../platform/http-server.js';
import { readSecretFile } from '../../platform/secrets.js';
import { systemTimers } from '../../platform/timers.js';
import { insideWorker, killThisProcess, sharedMonotonic } from '../../platform/worker-thread.js';
import { Access } from './access.js';
import { readAssets } from './assets.js';
import { controlApp } from './control-app.js';
import { HangNote } from './hang-note.js';
import { HangWatch } from './hang-watch.js';
import { Heartbeat } from './heartbeat.js';
import { openDoor } from './http-door.js';
import { lastWords } from './last-words.js';
import type { ControlData, Ready, ToControl, ToEngine } from './messages.js';
import { Paced } from './paced.js';
import { RemoteDaemon } from './remote-daemon.js';
import { runGallery } from './run-gallery.js';
import { demandDifferent, tokenIn } from './tokens.js';

const SILENCE_MS = 1_000;
const PROBLEM_MS = 10_000;

const port = insideWorker((message) => {
  const told = message as ToControl;
  if (told.kind === 'strategy') strategies[told.index] = told.strategy;
  else daemon.take(told);
});
const post = (message: ToEngine) => port.post(message);
const data = port.data as ControlData;
const strategies = [...data.strategies];
const heartbeat = new Heartbeat(sharedMonotonic, data.heartbeat);
const after = (ms: number, task: () => void) => systemTimers.after(ms, task);
const daemon = new RemoteDaemon({ post, heartbeat, after, now: sharedMonotonic });
const problems = new Paced(PROBLEM_MS, sharedMonotonic, (text) => post({ kind: 'problem', text }));

try {
  const served = await serve(data);
  watchHeart(data);
  tellSilence();
  post({ kind: 'ready', ...served });
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  post({ kind: 'unable', usage: error instanceof UsageError || isTaken(error), message });
}

async function serve({ socket, http, state, dashboard, runs }: ControlData): Promise<Omit<Ready, 'kind'>> {
  const parts = {
    files: nodeFiles,
    readSecret: (path: string) => readSecretFile(path, { links: false }),
    random: () => Buffer.from(systemEntropy.bytes(32)).toString('base64url'),
  };
  const readToken = await tokenIn(parts, join(state, 'read.token'));
  const controlToken = await tokenIn(parts, join(state, 'control.token'));
  demandDifferent(readToken, controlToken);
  const onGuessing = (wrong: number) => problems.say(`somebody guesses tokens: ${wrong} wrong ones`);
  const { random } = parts;
  const access = new Access({ readToken, controlToken, random, now: sharedMonotonic, onGuessing });
  const assets = dashboard === undefined ? undefined : await readAssets(nodeFiles, dashboard);
  let names: readonly string[] = [];
  let port: number | undefined;
  let shut: string | undefined;
  const app = (door: 'socket' | 'http') =>
    controlApp({
      daemon,
      access,
      door,
      assets,
      after,
      hosts: () => names,
      shut: () => shut,
      ...runGallery(nodeFiles, runs),
      onProblem: (text) => problems.say(text),
    });
  const listener = (door: 'socket' | 'http') =>
    getRequestListener(app(door).fetch, { overrideGlobalObjects: false });
  await serveSocket(listener('socket'), socket);
  if (http === undefined) return { port };
  shut = await openDoor({
    address: http,
    listen: async () => (await serveLoopback(listener('http'), http)).port ?? http.port,
    after,
    onOpen(opened) {
      names = namesOf(http.host, opened);
      port = opened;
      if (shut !== undefined) post({ kind: 'opened', port: opened });
      shut = undefined;
    },
  });
  return { port, shut };
}

/** Host names by which clients may address the server; the configured address comes first. */
function namesOf(host: string, at: number): readonly string[] {
  const own = host.includes(':') ? `[${host}]` : host;
  return [...new Set([own, '127.0.0.1', 'localhost', '[::1]'])].map((name) => `${name}:${at}`);
}

function watchHeart({ hangMs, noteMs }: ControlData): void {
  const note = new HangNote({
    heartbeat,
    strategies,
    files: nodeFiles,
    wall: () => systemClock.wall(),
    onProblem: (text) => problems.say(text),
  });
  new HangWatch({
    heartbeat,
    hangMs: noteMs,
    timers: systemTimers,
    onHang: (silentMs) => note.hangs(silentMs),
    onBeat: () => note.beats(),
  }).start();
  const hang = lastWords({
    heartbeat,
    strategies,
    files: nodeFiles,
    wall: () => systemClock.wall(),
    timers: systemTimers,
    kill: killThisProcess,
  });
  new HangWatch({ heartbeat, hangMs, timers: systemTimers, onHang: hang }).start();
}

function tellSilence(): void {
  systemTimers.after(SILENCE_MS, () => {
    daemon.tellSilence();
    tellSilence();
  });
}

/** Another program has the socket. */
function isTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'EADDRINUSE';
}
