import { afterEach, describe, expect, it } from 'vitest';
import { Heartbeat } from '../../../src/daemon/control/heartbeat.js';
import { type RunningControl, startControl } from '../../../src/daemon/control/start-control.js';
import type { DaemonControl, DaemonEvent } from '../../../src/daemon/daemon-api.js';
import type { HttpAddress } from '../../../src/daemon/control/messages.js';
import { systemTimers } from '../../../src/platform/timers.js';
import { sharedMonotonic } from '../../../src/platform/worker-thread.js';
import type { LogFields } from '../../../src/ports/log.js';
import { STATUS } from './fixture.js';

const WORKER = new URL('./crashing-worker.mjs', import.meta.url);
const running: RunningControl[] = [];
afterEach(async () => {
  for (const control of running.splice(0)) await control.close();
});

async function started(runs: string, http?: Omit<HttpAddress, 'waits'>) {
  const asked: string[] = [];
  const shut: string[] = [];
  const lines: { readonly message: string; readonly fields: LogFields | undefined }[] = [];
  const listeners = new Set<(event: DaemonEvent) => void>();
  /** What is to be done after a minute, in the order asked for. */
  const calms: (() => void)[] = [];
  const waiting = new Set<() => void>();
  const note = (message: string, fields?: LogFields) => {
    lines.push({ message, fields });
    for (const look of waiting) look();
  };
  const said = (text: string, times = 1) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (lines.filter((line) => JSON.stringify(line).includes(text)).length < times) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  const done = (method: string) => () => {
    asked.push(method);
    return Promise.resolve();
  };
  const daemon = {
    status: () => STATUS,
    listen(listener: (event: DaemonEvent) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    pause: done('pause'),
    resume: done('resume'),
    set: done('set'),
    flatten: done('flatten'),
  } as unknown as DaemonControl;
  const control = await startControl({
    daemon,
    heartbeat: new Heartbeat(sharedMonotonic),
    // A second of waiting is ten milliseconds here.
    timers: {
      ...systemTimers,
      after(ms, task) {
        if (ms < 60_000) return systemTimers.after(ms / 100, task);
        calms.push(task);
        return () => void calms.splice(calms.indexOf(task), 1);
      },
    },
    log: { debug: note, info: note, warn: note, error: note },
    scrub: (text) => text.replaceAll('topsecret', '[redacted]'),
    socket: '/nowhere',
    http: http && { ...http, waits: false },
    onShut: (text) => shut.push(text),
    state: '/nowhere',
    dashboard: undefined,
    runs,
    hangMs: 30_000,
    noteMs: 10_000,
    strategies: [],
    worker: WORKER,
  });
  running.push(control);
  const tell = (text: string) => {
    for (const listener of listeners) listener({ kind: 'log', time: 0, level: 'info', text });
  };
  return { control, asked, shut, calms, lines, tell, said };
}

describe('the control thread', () => {
  it('is started again when it dies, at the same address, and the daemon goes on', async () => {
    const { control, tell, lines, asked } = await started('works', { host: '::1', port: 0 });
    expect(control.url).toBe('http://[::1]:4711');
    // Whoever begins hears it, and dies.
    await expect
      .poll(() => {
        tell('die');
        return lines.filter(({ message }) => message.includes('is started again')).length;
      })
      .toBeGreaterThanOrEqual(3);
    expect(asked).toEqual([]);
  });

  it('waits longer before each start anew, and after a minute without a failure as short as at first', async () => {
    const { tell, lines, calms } = await started('works');
    const pauses = () => lines.flatMap(({ fields }) => fields?.['afterMs'] ?? []);
    const dies = async (times: number) => {
      // One that runs has asked to be called when it has run for a minute; one that died no longer waits for that.
      await expect.poll(() => calms.length).toBe(1);
      tell('die');
      await expect.poll(() => pauses().length).toBe(times);
    };
    await dies(1);
    await dies(2);
    await dies(3);
    await expect.poll(() => calms.length).toBe(1);
    calms[0]?.();
    await dies(4);
    await dies(5);
    expect(pauses()).toEqual([1_000, 2_000, 4_000, 1_000, 2_000]);
  });

  it('that cannot begin keeps the daemon from starting, with the reason', async () => {
    await expect(started('unusable')).rejects.toThrow('no such address');
    await expect(started('throws')).rejects.toThrow('at once');
  });

  it('whose address is had later is told of until then, and after its death waits for that address', async () => {
    const { control, tell, said, shut } = await started('shut', { host: '127.0.0.1', port: 0 });
    expect([control.url, control.problems, shut]).toEqual([
      undefined,
      ['no waiting yet'],
      ['no waiting yet'],
    ]);
    tell('open');
    await said('control.http is open');
    expect([control.url, control.problems]).toEqual(['http://127.0.0.1:4711', []]);
    tell('die');
    await said('control.http is not open', 2);
    expect(control.url).toBeUndefined();
    expect(control.problems).toEqual(['waiting for 4711']);
    expect(shut).toEqual(['no waiting yet', 'waiting for 4711']);
  });

  it('hears no secrets', async () => {
    const { tell, said } = await started('works');
    tell('echo topsecret');
    await said('echo [redacted]');
  });

  it('hears nothing of what nobody waits for any more, unless it lowers risk', async () => {
    const { asked, said } = await started('late');
    await said('result 5');
    expect(asked).toEqual(['pause', 'flatten']);
  });
});
