/** The thread that speaks while the session's own does not return from a strategy. */
import { HangWatch } from '../../daemon/control/hang-watch.js';
import { Heartbeat } from '../../daemon/control/heartbeat.js';
import { processFacts } from '../../platform/process.js';
import { systemTimers } from '../../platform/timers.js';
import { insideWorker, sharedMonotonic, writeStderrNow } from '../../platform/worker-thread.js';
import { hangNote } from './hang-note.js';
import type { HangNoteData } from './with-hang-note.js';

const { data } = insideWorker(() => undefined);
const { heartbeat: shared, strategy, isLive, hangMs } = data as HangNoteData;
const { pid, quitKey: key } = processFacts();
const onHang = hangNote({ strategy, isLive, pid, key, now: sharedMonotonic, say: writeStderrNow });
const heartbeat = new Heartbeat(sharedMonotonic, shared);
new HangWatch({ heartbeat, hangMs, timers: systemTimers, onHang }).start();
