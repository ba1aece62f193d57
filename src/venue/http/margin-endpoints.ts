import type { Market } from '../../model/market.js';
import type { Change } from '../core/commands.js';
import { plainDecimal } from './decimal-text.js';
import type { AccountRequest, Endpoint } from './endpoint.js';
import { type Answer, Refused } from './envelope.js';
import { malformed, requiredText } from './fields.js';
import { requiredMarket } from './list-query.js';
import { balancesRecord } from './records/balance-record.js';
import { positionRecord, positionsRecord } from './records/position-record.js';

/** Changes of the margin of isolated positions. A key suffices; a signature, if present, must be valid. */
export const MARGIN_ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/fund',
    access: 'key',
    answer: change('qty', ({ core, account, now }, { pair }, amount) =>
      core.fund(account, pair, amount, now),
    ),
  },
  {
    method: 'POST',
    path: '/draw',
    access: 'key',
    answer: change('qty', ({ core, account, now }, { pair }, amount) =>
      core.draw(account, pair, amount, now),
    ),
  },
  {
    method: 'POST',
    path: '/leverage',
    access: 'key',
    answer: change('leverage', ({ core, account, now }, { pair }, leverage) =>
      core.setLeverage(account, pair, leverage, now),
    ),
  },
];

function change(
  name: 'qty' | 'leverage',
  act: (request: AccountRequest, market: Market, amount: string) => Change,
): (request: AccountRequest) => Answer {
  return (request) => {
    const market = requiredMarket(request);
    if (market instanceof Refused) return market;
    const text = requiredText(request.fields, name, 'a plain decimal number');
    if (text instanceof Refused) return text;
    const amount = plainDecimal(text);
    if (amount === undefined) return malformed(name, 'a plain decimal number', text);
    const done = act(request, market, amount);
    if (done.kind === 'refused') return Refused.because(done.reason);
    return JSON.stringify({
      balances: balancesRecord(request.core.balances(request.account)),
      positions: {
        ...positionsRecord(request, request.markets.values()),
        [market.pair]: { pair: market.pair, ...positionRecord(request, market) },
      },
    });
  };
}
