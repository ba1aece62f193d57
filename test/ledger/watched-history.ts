import { VenueCore } from '../../src/venue/core/venue-core.js';
import type { Account } from '../../src/venue/core/account.js';
import { runHistory } from '../venue/core/histories.js';
import type { WatchedAccount } from './watched-account.js';

/**
 * Runs one seeded history of the real venue core (`test/venue/core/histories.ts`: several accounts, cross and isolated,
 * spot, funding, liquidations, take-overs, deleveraging, transfers) and calls `look` after every `every`-th command.
 */
export function watchHistory<W extends WatchedAccount>(
  seed: number,
  steps: number,
  {
    watch,
    look,
    every = 1,
  }: {
    readonly watch: (core: VenueCore, account: Account) => W;
    readonly look: (watched: W, now: number) => void;
    readonly every?: number;
  },
): readonly W[] {
  const watched: W[] = [];
  let commands = 0;
  const after = (now: number): void => {
    if (++commands % every !== 0) return;
    for (const each of watched) look(each, now);
  };
  class WatchedCore extends VenueCore {
    override openAccount(...args: Parameters<VenueCore['openAccount']>) {
      const account = super.openAccount(...args);
      watched.push(watch(this, account));
      return account;
    }
    override advance(now: number) {
      super.advance(now);
      after(now);
    }
    override place(...args: Parameters<VenueCore['place']>) {
      const placed = super.place(...args);
      after(args[2]);
      return placed;
    }
    override close(...args: Parameters<VenueCore['close']>) {
      const closed = super.close(...args);
      after(args[2]);
      return closed;
    }
    override fund(...args: Parameters<VenueCore['fund']>) {
      const changed = super.fund(...args);
      after(args[3]);
      return changed;
    }
    override draw(...args: Parameters<VenueCore['draw']>) {
      const changed = super.draw(...args);
      after(args[3]);
      return changed;
    }
    override setLeverage(...args: Parameters<VenueCore['setLeverage']>) {
      const changed = super.setLeverage(...args);
      after(args[3]);
      return changed;
    }
  }
  const { broken } = runHistory(WatchedCore, seed, steps);
  if (broken !== undefined) throw new Error(`history ${seed}: ${broken.laws.join('; ')}`);
  return watched;
}
