import { chooseConfigured } from '../settings/pair.js';
import { listQuery, type ListOptions, type ReadOptions, withVenue } from '../settings/venue-access.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { printJson, printText } from '../view/output.js';
import { recordJson } from '../view/record-json.js';
import { amount, moment, recordTable, words } from '../view/record-table.js';

export interface CandlesOptions extends ReadOptions, ListOptions {
  readonly interval?: string | undefined;
}

/** About one screen. */
const USUAL_LIMIT = 20;

export async function candles(options: CandlesOptions): Promise<ExitCode> {
  const { interval } = options;
  const query = listQuery({ ...options, limit: options.limit ?? USUAL_LIMIT });
  const { pair, found } = await withVenue(options, async ({ api, settings }) => {
    const market = await chooseConfigured(api, settings, options.pair);
    const asked = { ...query, pair: market.pair, ...(interval === undefined ? {} : { interval }) };
    return { pair: market.pair, found: await api.candles(asked) };
  });
  if (options.json === true) {
    await printJson({ pair, candles: found.map(recordJson) });
    return EXIT.ok;
  }
  await printText(
    found.length === 0
      ? `no candles of ${pair} there`
      : recordTable(found, [
          moment('OPENS', ({ openTime }) => openTime),
          amount('OPEN', ({ open }) => open),
          amount('HIGH', ({ high }) => high),
          amount('LOW', ({ low }) => low),
          amount('CLOSE', ({ close }) => close),
          amount('VOLUME', ({ baseVolume }) => baseVolume),
          words('TRADES', ({ trades }) => trades?.toString()),
        ]),
  );
  return EXIT.ok;
}
