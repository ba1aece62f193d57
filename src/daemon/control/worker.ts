/** The control thread: listens on the socket and on loopback, and watches the engine's heart. */
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { systemEntropy } from '../../platform/entropy.js';
import { nodeFiles } from '../../platform/files.js';
import { type RequestHandler, serveLoopback, serveSocket } from '../../platform/http-server.js';
import { systemTimers } from '../../platform/timers.js';
import { insideWorker, killThisProcess, sharedMonotonic } from '../../platform/worker-thread.js';
import { Access } from './access.js';
import { readAssets } from './assets.js';
import { controlApp } from './control-app.js';
import { HangWatch } from './hang-watch.js';
import { Heartbeat } from './heartbeat.js';
import type { ControlData, ToControl } from './messages.js';
import { RemoteDaemon } from './remote-daemon.js';
import { runGallery } from './run-gallery.js';
import { tokenIn } from './tokens.js';

const port = insideWorker((message) => daemon.take(message as ToControl));
const { heartbeat: shared, socket, http, state, dashboard, runs, hangMs } = port.data as ControlData;
const heartbeat = new Heartbeat(sharedMonotonic, shared);
const daemon = new RemoteDaemon({
  post: (message) => port.post(message),
  heartbeat,
  after: (ms, task) => systemTimers.after(ms, task),
});
const random = () => Buffer.from(systemEntropy.bytes(32)).toString('base64url');
const access = new Access({
  readToken: await tokenIn(nodeFiles, join(state, 'read.token'), random),
  controlToken: await tokenIn(nodeFiles, join(state, 'control.token'), random),
  random,
  now: sharedMonotonic,
});
let hosts: readonly string[] = [];
const parts = {
  daemon,
  access,
  hosts: () => hosts,
  assets: dashboard === undefined ? new Map<string, never>() : await readAssets(nodeFiles, dashboard),
  ...runGallery(nodeFiles, runs),
};
const listener = (door: 'socket' | 'http'): RequestHandler => {
  const answer = getRequestListener(controlApp({ ...parts, door }).fetch);
  return (incoming, outgoing) => void answer(incoming, outgoing);
};
await serveSocket(listener('socket'), socket);
const served = http === undefined ? undefined : await serveLoopback(listener('http'), http);
if (served?.port !== undefined) {
  hosts = [`127.0.0.1:${served.port}`, `localhost:${served.port}`, `[::1]:${served.port}`];
}
const watch = new HangWatch({
  heartbeat,
  hangMs,
  timers: systemTimers,
  onHang: (silentMs) => {
    // The engine's thread may never run again, so nobody else can say it.
    killThisProcess(
      JSON.stringify({
        level: 'fatal',
        msg: 'the engine hangs: the process is killed',
        silentMs: Math.round(silentMs),
      }),
    );
  },
});
watch.start();
port.post({ kind: 'ready', port: served?.port });
