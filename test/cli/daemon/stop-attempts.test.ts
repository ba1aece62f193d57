import { describe, expect, it } from 'vitest';
import { StopAttempts } from '../../../src/cli/daemon/stop-attempts.js';
import type { StoppedBot } from '../../../src/cli/stop/stop-bot.js';

/** The files that attempts leave, each noted as soon as its proof is written. */
function folder() {
  const kept = new Set<string>();
  const attempts = new StopAttempts({
    remove(path) {
      kept.delete(path);
      return Promise.resolve();
    },
  });
  let written = 0;
  return {
    kept,
    attempt: async (process: string, pair: object = {}) => {
      const file = `${++written}.json`;
      kept.add(file);
      const position = { before: undefined, after: undefined };
      const proof = { proven: false, pairs: [{ pair: 'A', canceled: [], position, closes: [], ...pair }] };
      await attempts.note(process, { proof, file } as unknown as StoppedBot);
    },
  };
}

describe('of the attempts at a stop', () => {
  it('that changed nothing, only the newest leaves its proof', async () => {
    const { kept, attempt } = folder();
    for (let count = 0; count < 1_000; count++) await attempt('a');
    expect([...kept]).toEqual(['1000.json']);
  });

  it('each that canceled orders, or changed what is held, leaves its proof', async () => {
    const { kept, attempt } = folder();
    await attempt('a', { canceled: ['17'] });
    await attempt('a');
    await attempt('a', { position: { before: '0.5', after: '0.2' } });
    await attempt('a', { position: { before: '0.2', after: '0.2' } });
    await attempt('a');
    expect([...kept]).toEqual(['1.json', '3.json', '5.json']);
  });

  it('each with a closing order that may have been executed leaves its proof, whatever was read afterwards', async () => {
    const { kept, attempt } = folder();
    const position = { before: '0.5', after: '0.5' };
    const closing = (outcome: string) => attempt('a', { position, closes: [{ outcome }] });
    await closing('filled');
    await closing('in doubt: not heard of in time');
    await closing('rejected: margin');
    await closing('refused: the market takes no orders');
    await closing('canceled: no liquidity');
    await closing('canceled unfilled: nothing to reduce');
    await attempt('a');
    expect([...kept]).toEqual(['1.json', '2.json', '5.json', '7.json']);
  });

  it('those for another process replace none', async () => {
    const { kept, attempt } = folder();
    await attempt('a');
    await attempt('b');
    expect([...kept]).toEqual(['1.json', '2.json']);
  });
});
