import type { PositionRecord } from '../../model/venue-records.js';
import type { PrivateVenueApi, PublicVenueApi } from '../../ports/venue-api.js';
import { withConnection } from '../compose/connection.js';
import { readSettings } from '../compose/settings.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { decimalText } from '../view/decimal-text.js';
import { printJson, printText } from '../view/output.js';
import { table } from '../view/table.js';

export interface PositionsOptions {
  readonly venue?: string | undefined;
  readonly pair?: string | undefined;
  readonly config?: string | undefined;
  readonly allowEnvKey?: true | undefined;
  readonly json?: true | undefined;
}

export async function positions(options: PositionsOptions): Promise<ExitCode> {
  const machine = thisMachine();
  const settings = await readSettings(machine, options.config);
  const venue = await settings.venueWithKeys(options);
  const found = await withConnection(machine, venue, ({ api }) => readPositions(api, options.pair));
  if (options.json === true) await printJson({ positions: found.map(positionJson) });
  else await printText(found.length === 0 ? 'no open positions' : positionTable(found));
  return EXIT.ok;
}

/** One pair, flat or not; without a pair every market where something is open. */
async function readPositions(
  api: Pick<PublicVenueApi & PrivateVenueApi, 'markets' | 'position'>,
  pair: string | undefined,
): Promise<readonly PositionRecord[]> {
  if (pair !== undefined) return [await api.position(pair)];
  const found: PositionRecord[] = [];
  for (const market of (await api.markets()).values()) {
    if (market.contract !== 'linear') continue;
    const position = await api.position(market.pair);
    if (position.size !== 0) found.push(position);
  }
  return found;
}

function positionJson(position: PositionRecord) {
  const { liquidationPrice } = position;
  return {
    pair: position.pair,
    quantity: decimalText(position.size),
    averageEntry: decimalText(position.averageEntry),
    mark: decimalText(position.markPrice),
    ...(liquidationPrice === undefined ? {} : { liquidationPrice: decimalText(liquidationPrice) }),
    realised: decimalText(position.realized),
    unrealised: decimalText(position.unrealized),
    fees: decimalText(position.fees),
    funding: decimalText(position.funding),
  };
}

function positionTable(found: readonly PositionRecord[]): string {
  const rows = found.map((position) => [
    position.pair,
    decimalText(position.size),
    decimalText(position.averageEntry),
    decimalText(position.markPrice),
    decimalText(position.unrealized),
    decimalText(position.realized),
    decimalText(position.fees),
  ]);
  const heads = ['PAIR', 'POSITION', 'ENTRY', 'MARK', 'UNREALISED', 'REALISED', 'FEES'];
  return table(heads, rows, ['left', 'right', 'right', 'right', 'right', 'right', 'right']);
}
