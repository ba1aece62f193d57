/** Venue records for test doubles: what a test does not say, the venue did not say either. */
import type {
  BalanceRecord,
  FillRecord,
  OrderRecord,
  PositionRecord,
} from '../../src/model/venue-records.js';

type Optional<R, Needed extends keyof R> = Pick<R, Needed> & Partial<R>;

export function fillRecordOf(
  known: Optional<
    FillRecord,
    'id' | 'pair' | 'isBuyerMaker' | 'quantity' | 'price' | 'netCommission' | 'time'
  >,
): FillRecord {
  return {
    side: undefined,
    type: undefined,
    quantityUsd: undefined,
    cost: undefined,
    grossCommission: undefined,
    grossCommissionAsset: undefined,
    netCommissionAsset: undefined,
    netCommissionUsd: undefined,
    discount: undefined,
    conversionRate: undefined,
    liquidation: false,
    wire: {},
    ...known,
  };
}

export function orderRecordOf(
  known: Optional<
    OrderRecord,
    'id' | 'pair' | 'side' | 'type' | 'priceOriginal' | 'price' | 'quantity' | 'leavesQuantity' | 'time'
  >,
): OrderRecord {
  return {
    quantityUsd: undefined,
    filledQuantity: 0,
    status: 'ACTIVE',
    timeInForce: 'GTC',
    postOnly: false,
    reduceOnly: false,
    hidden: false,
    closeOnTrigger: false,
    oco: undefined,
    icebergs: undefined,
    triggerPrice: undefined,
    triggerEvent: undefined,
    leverage: undefined,
    customerId: undefined,
    liquidation: false,
    message: undefined,
    fills: [],
    wire: {},
    ...known,
  };
}

export function positionRecordOf(known: Optional<PositionRecord, 'pair' | 'size'>): PositionRecord {
  return {
    free: undefined,
    locked: undefined,
    realized: 0,
    funding: 0,
    fees: 0,
    statsSize: undefined,
    direction: undefined,
    notional: undefined,
    margin: undefined,
    pnl: undefined,
    unrealized: 0,
    realizedTotal: undefined,
    equity: undefined,
    roe: undefined,
    markPrice: 0,
    averageEntry: 0,
    leverage: undefined,
    liquidationPrice: undefined,
    bankruptcyPrice: undefined,
    fills: undefined,
    wire: {},
    ...known,
  };
}

export function balanceRecordOf(known: Optional<BalanceRecord, 'asset' | 'free'>): BalanceRecord {
  return { locked: 0, withdrawn: 0, pnl: 0, margin: 0, fees: 0, wire: {}, ...known };
}
