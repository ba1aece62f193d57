import type { DepthLevel } from '../../model/venue-records.js';
import { chooseConfigured } from '../settings/pair.js';
import { type ReadOptions, withVenue } from '../settings/venue-access.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { printJson, printText } from '../view/output.js';
import { recordJson } from '../view/record-json.js';
import { amount, recordTable } from '../view/record-table.js';

export interface DepthOptions extends ReadOptions {
  readonly pair?: string | undefined;
  readonly limit: number;
}

export async function depth({ limit, ...options }: DepthOptions): Promise<ExitCode> {
  const { pair, bids, asks } = await withVenue(options, async ({ api, settings }) => {
    const market = await chooseConfigured(api, settings, options.pair);
    return { pair: market.pair, ...(await api.depth(market.pair, limit)) };
  });
  if (options.json === true) {
    await printJson({ pair, bids: bids.map(recordJson), asks: asks.map(recordJson) });
    return EXIT.ok;
  }
  const rows: readonly (readonly [bid: DepthLevel | undefined, ask: DepthLevel | undefined])[] = Array.from(
    { length: Math.max(bids.length, asks.length) },
    (_, index) => [bids[index], asks[index]],
  );
  await printText(
    rows.length === 0
      ? `no orders are shown in ${pair}`
      : recordTable(rows, [
          amount('BID QUANTITY', ([bid]) => bid?.quantity),
          amount('BID', ([bid]) => bid?.price),
          amount('ASK', ([, ask]) => ask?.price),
          amount('ASK QUANTITY', ([, ask]) => ask?.quantity),
        ]),
  );
  return EXIT.ok;
}
