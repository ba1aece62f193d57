/** The endpoints of the specification that each command reaches, as data from which the docs are generated. */
export interface CommandEndpoint {
  /** The command as it is typed after the program's name, with the flag that leads to the endpoint if one does. */
  readonly command: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
}

/** Does not list what a command reads incidentally, to find the market or to pass the gate. */
export const COMMAND_ENDPOINTS: readonly CommandEndpoint[] = [
  { command: 'time', method: 'GET', path: '/time' },
  { command: 'markets', method: 'GET', path: '/pairs' },
  { command: 'assets', method: 'GET', path: '/assets' },
  { command: 'ticker', method: 'GET', path: '/ticker' },
  { command: 'depth', method: 'GET', path: '/depth' },
  { command: 'trades', method: 'GET', path: '/trades' },
  { command: 'candles', method: 'GET', path: '/ohlcv' },
  { command: 'orders', method: 'GET', path: '/active_orders' },
  { command: 'orders --state active', method: 'GET', path: '/active_orders' },
  { command: 'orders --state completed', method: 'GET', path: '/completed_orders' },
  { command: 'orders --state canceled', method: 'GET', path: '/cancelled_orders' },
  { command: 'orders --state filled', method: 'GET', path: '/filled_orders' },
  { command: 'orders --state partial', method: 'GET', path: '/partially_filled_orders' },
  { command: 'orders --state all', method: 'GET', path: '/orders' },
  { command: 'orders ID', method: 'GET', path: '/order' },
  { command: 'triggers', method: 'GET', path: '/triggers' },
  { command: 'fills', method: 'GET', path: '/fills' },
  { command: 'positions', method: 'GET', path: '/active_positions' },
  { command: 'positions --pair PAIR', method: 'GET', path: '/position' },
  { command: 'positions --state completed', method: 'GET', path: '/completed_positions' },
  { command: 'balances', method: 'GET', path: '/personal' },
  { command: 'account', method: 'GET', path: '/personal' },
  { command: 'deposits', method: 'GET', path: '/deposits' },
  { command: 'withdrawals', method: 'GET', path: '/withdrawals' },
  { command: 'explain-pnl', method: 'GET', path: '/fills' },
  { command: 'explain-pnl', method: 'GET', path: '/active_positions' },
  { command: 'explain-pnl', method: 'GET', path: '/completed_positions' },
  { command: 'explain-pnl', method: 'GET', path: '/deposits' },
  { command: 'explain-pnl', method: 'GET', path: '/withdrawals' },
  { command: 'order', method: 'POST', path: '/auth/order' },
  { command: 'order --bulk FILE', method: 'POST', path: '/auth/order/bulk' },
  { command: 'cancel ID', method: 'POST', path: '/auth/cancel' },
  { command: 'cancel ID ID', method: 'POST', path: '/auth/cancel/bulk' },
  { command: 'cancel --all', method: 'POST', path: '/auth/cancel/bulk' },
  { command: 'close', method: 'POST', path: '/auth/close' },
  { command: 'leverage', method: 'POST', path: '/leverage' },
  { command: 'fund', method: 'POST', path: '/fund' },
  { command: 'draw', method: 'POST', path: '/draw' },
  { command: 'withdraw', method: 'POST', path: '/auth/withdraw' },
];
