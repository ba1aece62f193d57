import { UsageError } from '../../model/errors.js';
import type { PositionRecord } from '../../model/venue-records.js';
import type { KeyCalls } from '../../ports/venue-api.js';
import { type KeyedOptions, type ListOptions, listQuery, withAccount } from '../settings/venue-access.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { printJson, printText } from '../view/output.js';
import { completedPositionTable, positionJson, positionTable } from '../view/position-view.js';

export interface PositionsOptions extends KeyedOptions, ListOptions {
  readonly state: 'active' | 'completed';
}

export async function positions(options: PositionsOptions): Promise<ExitCode> {
  const { state } = options;
  if (state === 'active' && (options.from ?? options.to ?? options.limit) !== undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_POSITIONS',
      '--from, --to and --limit must go with --state completed, received active positions',
    );
  }
  const found = await withAccount(options, ({ api }) => read(api, options));
  if (options.json === true) await printJson({ positions: found.map(positionJson) });
  else if (found.length === 0)
    await printText(state === 'active' ? 'no open positions' : 'no completed positions');
  else await printText(state === 'active' ? positionTable(found) : completedPositionTable(found));
  return EXIT.ok;
}

/** The position of one pair, even if it is flat; without a pair, all open positions. */
async function read(
  api: Pick<KeyCalls, 'position' | 'activePositions' | 'completedPositions'>,
  options: PositionsOptions,
): Promise<readonly PositionRecord[]> {
  if (options.state === 'completed') return api.completedPositions(listQuery(options));
  return options.pair === undefined ? api.activePositions() : [await api.position(options.pair)];
}
