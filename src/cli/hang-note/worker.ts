/** The thread that reports while the session's own thread does not return from a strategy. */
import { HangWatch } from '../../daemon/control/hang-watch.js';
import { Heartbeat } from '../../daemon/control/heartbeat.js';
import { processFacts } from '../../platform/process.js';
import { systemTimers } from '../../platform/timers.js';
import {
  insideWorker,
  killThisProcess,
  sharedMonotonic,
  writeStderrNow,
} from '../../platform/worker-thread.js';
import { onStopInWorker } from '../../platform/worker-signals.js';
import { hangNote } from './hang-note.js';
import type { HangNoteData } from './with-hang-note.js';

const { data } = insideWorker(() => undefined);
const { heartbeat: shared, strategy, isLive, endsAt, hangMs } = data as HangNoteData;
const { pid, quitKey: key } = processFacts();
const hears = onStopInWorker(() => note.asked());
const note = hangNote({
  strategy,
  isLive,
  pid,
  key,
  endsAt,
  hears,
  now: sharedMonotonic,
  say: writeStderrNow,
  kill: killThisProcess,
});
const heartbeat = new Heartbeat(sharedMonotonic, shared);
new HangWatch({
  heartbeat,
  hangMs,
  timers: systemTimers,
  onHang: (silentMs) => note.silent(silentMs),
}).start();
