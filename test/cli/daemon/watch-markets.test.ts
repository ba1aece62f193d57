import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'vitest';
import { watchMarkets } from '../../../src/cli/daemon/watch-markets.js';
import { thisMachine } from '../../../src/cli/machine.js';
import type { Daemon } from '../../../src/daemon/daemon.js';
import { systemTimers } from '../../../src/platform/timers.js';

it('the end of a daemon waits for no list of markets that the venue does not answer', async () => {
  const server = createServer(() => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = once(server, 'request');
  const { port } = server.address() as AddressInfo;
  const hour = 3_600_000;
  const watch = watchMarkets(
    {
      ...thisMachine('error'),
      // The first look, a minute after the start, comes at once; the deadline of a request does not come.
      timers: {
        ...systemTimers,
        after: (ms, task) => systemTimers.after(ms === 60_000 ? 0 : ms < 1_000 ? ms : hour, task),
      },
    },
    {
      venue: { url: `http://127.0.0.1:${port}` },
      mode: 'live',
      daemon: { markets: [] } as unknown as Daemon,
    },
  );
  const [request] = (await asked) as [{ readonly socket: NodeJS.EventEmitter }];
  const closed = once(request.socket, 'close');
  watch.stop();
  await closed;
  server.close();
  await once(server, 'close');
});
