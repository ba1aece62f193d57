/** The 31 endpoints of the specification, by hand: what the tables of the client, the venue and the program must reach. */
export interface SpecEndpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** `signed`: the key, and a signature over the body. */
  readonly auth: 'public' | 'key' | 'signed';
  /** With parameters and result in the specification, or by name only. */
  readonly described: boolean;
}

const get = (path: string, auth: 'public' | 'key', described: boolean): SpecEndpoint => ({
  method: 'GET',
  path,
  auth,
  described,
});
const post = (path: string, auth: 'key' | 'signed', described: boolean): SpecEndpoint => ({
  method: 'POST',
  path,
  auth,
  described,
});

export const SPEC_ENDPOINTS: readonly SpecEndpoint[] = [
  get('/trades', 'public', true),
  get('/pairs', 'public', true),
  get('/assets', 'public', true),
  get('/time', 'public', false),
  get('/ticker', 'public', false),
  get('/depth', 'public', false),
  get('/ohlcv', 'public', false),
  get('/orders', 'key', false),
  get('/active_orders', 'key', true),
  get('/completed_orders', 'key', true),
  get('/cancelled_orders', 'key', false),
  get('/filled_orders', 'key', true),
  get('/partially_filled_orders', 'key', false),
  get('/order', 'key', true),
  get('/triggers', 'key', true),
  get('/fills', 'key', true),
  get('/position', 'key', true),
  get('/active_positions', 'key', false),
  get('/completed_positions', 'key', false),
  get('/deposits', 'key', true),
  get('/withdrawals', 'key', false),
  get('/personal', 'key', false),
  post('/fund', 'key', false),
  post('/draw', 'key', true),
  post('/leverage', 'key', false),
  post('/auth/order', 'signed', false),
  post('/auth/order/bulk', 'signed', false),
  post('/auth/cancel', 'signed', true),
  post('/auth/cancel/bulk', 'signed', false),
  post('/auth/close', 'signed', false),
  post('/auth/withdraw', 'signed', true),
];
