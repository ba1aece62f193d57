/** /active_positions and /completed_positions (`dialect.md` §3). */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { ETH, ids, only, PAIR } from '../desk.js';
import type { ByKey, WireFill, WirePosition } from '../wire-records.js';

export const POSITION_LIST_CARDS: readonly Card[] = [
  {
    id: 'TC-420',
    claim: '/active_positions is keyed by pair: the open positions with their fills, newest first',
    endpoints: ['GET /active_positions'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      assert.deepEqual(await desk.get('/active_positions', {}, 'anna'), {});
      await desk.trade(60_000, 0.1);
      await desk.trade(60_001, 0.2);
      const active = await desk.get<ByKey<WirePosition & { readonly fills: readonly WireFill[] }>>(
        '/active_positions',
        {},
        'anna',
      );
      assert.deepEqual(Object.keys(active), [PAIR]);
      const { fills, ...position } = active[PAIR] as WirePosition & { readonly fills: readonly WireFill[] };
      assert.deepEqual(position, await desk.position('anna'));
      assert.deepEqual(ids(fills), ids(await desk.fills('anna')));
    },
  },
  {
    id: 'TC-421',
    claim:
      '/completed_positions gives what each finished position came to, keyed by its pair, newest first, by Q4',
    endpoints: ['GET /completed_positions'],
    needs: ['quiet venue', 'two accounts', 'time'],
    async run(desk) {
      const round = async (entry: number, exit: number, qty: number, pair = PAIR) => {
        await desk.trade(entry, qty, pair);
        await desk.advance(1_000);
        await desk.trade(exit, qty, pair, 'anna', 'bert');
        return desk.now;
      };
      const first = await round(60_000, 60_100, 0.1);
      await round(2_500, 2_490, 1, ETH);
      await round(60_000, 59_000, 0.1);
      const list = (query = {}) =>
        desk.get<readonly ByKey<WirePosition>[]>('/completed_positions', query, 'anna');
      const realized = (found: readonly ByKey<WirePosition>[]) =>
        found.flatMap((each) => Object.entries(each).map(([pair, position]) => [pair, position['realized']]));
      assert.deepEqual(realized(await list()), [
        [PAIR, -100],
        [ETH, -10],
        [PAIR, 10],
      ]);
      assert.deepEqual(realized(await list({ pair: ETH })), [[ETH, -10]]);
      assert.deepEqual(realized(await list({ limit: 1 })), [[PAIR, -100]]);
      assert.deepEqual(realized(await list({ end: first })), [[PAIR, 10]]);
      const fills = (only(await list({ end: first }))[PAIR] as WirePosition)['fills'] as readonly WireFill[];
      assert.deepEqual(
        fills.map(({ price }) => price),
        [60_100, 60_000],
      );
    },
  },
];
