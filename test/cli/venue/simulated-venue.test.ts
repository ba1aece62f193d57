import { expect, it } from 'vitest';
import { startSimulatedVenue } from '../../../src/cli/venue/simulated-venue.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { VirtualTime } from '../../support/virtual-time.js';

it('a made-up market that took two seconds to make begins at the time of the machine', async () => {
  const { log } = thisMachine();
  const time = new VirtualTime();
  const begun = time.clock.wall();
  let looks = 0;
  const clock = { wall: () => begun + (looks++ === 0 ? 0 : 2_000), monotonic: () => time.now };
  const server = await startSimulatedVenue(
    { clock, timers: time.timers, log },
    {
      source: { kind: 'synthetic', seed: 1, pairs: ['USD_BTC_PERP'] },
      port: 0,
      speed: 1,
      accounts: [{ key: 'k', secret: 's' }],
    },
  );
  try {
    expect(server.venue.clock.now()).toBe(begun + 2_000);
    expect(server.venue.catchUp()).toBe(begun + 2_000);
  } finally {
    await server.close();
  }
});
