/** A strategy that holds a position and an order, for tests of what is left behind. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type DaemonDesk, type DeskOptions, PAIR } from './daemon-desk.js';

/** Buys once, and has an order far below the market. */
const HOLDING = `import { defineStrategy, orders } from 'tickwright';
export default defineStrategy({
  name: 'holding',
  create() {
    let isAsked = false;
    return {
      onTicker({ bidPrice, askPrice }) {
        if (isAsked || bidPrice === undefined || askPrice === undefined) return undefined;
        isAsked = true;
        return orders([
          { side: 'buy', quantity: 0.02 },
          { side: 'buy', quantity: 0.01, price: Math.floor(bidPrice * 0.99) },
        ]);
      },
    };
  },
});
`;

export function holding(folder: string, more: Partial<DeskOptions> = {}): DeskOptions {
  const file = join(folder, 'holding.ts');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, HOLDING);
  return { folder, strategies: `  - { file: ${file}, pair: ${PAIR} }`, ...more };
}

/** At the venue, and by the daemon's own word: what it has not heard yet is in doubt when it dies. */
export async function held(desk: DaemonDesk): Promise<void> {
  await desk.until(
    'a position and an order',
    async () => (await desk.position()) === 0.02 && (await desk.orders()).length === 1,
  );
  const ids = await desk.orders();
  await desk.said('both', ({ pairs: [pair] }) =>
    expect(pair).toMatchObject({ position: '0.02', orders: ids, doubt: 0 }),
  );
}
