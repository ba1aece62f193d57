import { UsageError } from '../../model/errors.js';
import type { Market } from '../../model/market.js';
import { marketSpecOf } from '../../storage/market-spec.js';
import { type ReadOptions, withVenue } from '../settings/venue-access.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { printJson, printText } from '../view/output.js';
import { table } from '../view/table.js';

export interface MarketsOptions extends ReadOptions {
  readonly pair?: string | undefined;
}

export async function markets(options: MarketsOptions): Promise<ExitCode> {
  const found = await withVenue(options, ({ api }) => api.markets());
  const chosen = pick(found, options.pair);
  if (options.json === true) await printJson({ markets: chosen.map(marketSpecOf) });
  else await printText(marketTable(chosen));
  return EXIT.ok;
}

function pick(found: ReadonlyMap<string, Market>, pair: string | undefined): readonly Market[] {
  if (pair === undefined) return [...found.values()];
  const market = found.get(pair);
  if (market === undefined) {
    const names = [...found.keys()].join(', ');
    throw new UsageError(
      'TICKWRIGHT_E_PAIR',
      `--pair must be a market of the venue (${names}), received ${pair}`,
    );
  }
  return [market];
}

function marketTable(chosen: readonly Market[]): string {
  const rows = chosen.map((market) => {
    const { price, quantity, interest, fees } = marketSpecOf(market);
    return [
      market.pair,
      market.contract,
      market.active ? 'yes' : 'no',
      `${String(price.step)} ${market.quote}`,
      `${String(quantity.step)} ${market.base}`,
      String(quantity.min),
      String(quantity.max),
      String(interest?.max ?? ''),
      `${String(fees.maker)} / ${String(fees.taker)}`,
    ];
  });
  const heads = [
    'PAIR',
    'CONTRACT',
    'ACTIVE',
    'TICK',
    'LOT',
    'MIN',
    'MAX',
    'MAX POSITION',
    'MAKER / TAKER FEE',
  ];
  return table(heads, rows, ['left', 'left', 'left', 'right', 'right', 'right', 'right', 'right', 'right']);
}
