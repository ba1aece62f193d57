/** What `limits` must hold in live mode: real money is not risked without bounds. */
export const REQUIRED_LIMITS = [
  'maxPosition',
  'maxOrderQuantity',
  'maxGrossNotional',
  'maxOpenOrders',
  'maxOrdersPerMinute',
  'maxDailyLoss',
  'priceCollar',
] as const;
