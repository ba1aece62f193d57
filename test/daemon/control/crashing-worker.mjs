/** In the place of the control thread: does what its data says, and can be made to fail. */
import { parentPort, workerData } from 'node:worker_threads';

const { runs, http } = workerData;
parentPort.on('message', (message) => {
  if (message.kind === 'event' && message.event.text === 'die') throw new Error('as told');
  const { text = '' } = message.event ?? {};
  if (text === 'open') parentPort.postMessage({ kind: 'opened', port: 4711 });
  if (text.startsWith('echo ')) parentPort.postMessage({ kind: 'problem', text });
  if (message.kind === 'result') parentPort.postMessage({ kind: 'problem', text: `result ${message.id}` });
});
if (runs === 'unusable') parentPort.postMessage({ kind: 'unable', usage: true, message: 'no such address' });
else if (runs === 'throws') throw new Error('at once');
else if (runs === 'shut') {
  const shut = http.waits ? `waiting for ${http.port}` : 'no waiting yet';
  parentPort.postMessage({ kind: 'ready', port: undefined, shut });
} else {
  parentPort.postMessage({ kind: 'ready', port: http?.port || 4711 });
  if (runs === 'late') {
    // As if the engine had hung for longer than anybody waited.
    const call = (id, method, ...args) => ({ kind: 'call', id, until: 0, call: { method, args } });
    const request = { by: 'http', reason: 'x' };
    parentPort.postMessage(call(1, 'resume', { ...request, level: 'pause' }));
    parentPort.postMessage(call(2, 'set', 'A', {}, { ...request, uncertified: false }));
    parentPort.postMessage(call(3, 'status'));
    parentPort.postMessage(call(4, 'pause', request));
    parentPort.postMessage(call(5, 'flatten', request));
  }
}
