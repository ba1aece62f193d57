/** Values, names and words that no sensible client sends. */

// biome-ignore format: a list
export const ODD_VALUES = [
  '', ' ', '0', '-0', '-1', '00', '1', ' 1', '1 ', '+1', '1,5', '1.', '.5', '1..2', '1e3', '1e309', '1E-400', '0x10', '0b1',
  '0o7', '1n', '1_000', 'NaN', 'nan', 'Infinity', '-Infinity', 'null', 'undefined', 'true', 'TRUE', 'false', '[]', '{}',
  '[object Object]', '"1"', "1' OR '1'='1", '<script>', '../../etc/passwd', '${1}', '__proto__', 'constructor', 'toString',
  '9'.repeat(15), '9'.repeat(16), '9'.repeat(33), '9'.repeat(400), `1${'0'.repeat(400)}`, `0.${'3'.repeat(30)}`,
  `0.${'0'.repeat(31)}1`, `0.${'0'.repeat(40)}1`, '0.1000000000000000055511151231257827', '0.30000000000000004',
  '9007199254740991', '9007199254740993', '9223372036854775808', '18446744073709551616', '4294967296', '2147483648',
  '1e-7', '0.0000001', '0.00000001', '0.000000001', '١٢٣', '１２', '1\u00a0', '\u200b1', '1\u0000', '\u0000', '\u0001\u001f',
  '\ud800', '\udc00x', '😀', '\ufeff1', 'é', 'e\u0301', '\r\n', 'a\r\nx-injected: 1', '%', '%00', '&', '=', '+', ';', '#',
  'BUY', 'SELL', 'buy', 'GTC', 'LIMIT', 'USD', 'USD_BTC_PERP', 'USD_BTC_PERP ', 'usd_btc_perp', 'USD_BTC_CALL', 'MARK_PRICE',
  'x'.repeat(65), 'x'.repeat(3_000), '1'.repeat(20_000), '('.repeat(500), 'é'.repeat(200), '1,'.repeat(300),
];
// biome-ignore format: a list
export const ODD_NAMES = [
  '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', '__proto__[x]', 'constructor[prototype][x]', '', ' ',
  '[', ']', '[]', '[0]', '[][]', 'pair[]', 'pair[0]', 'qty[]', 'PAIR', 'Qty', ' pair', 'pair ', 'ids', 'ids[]', 'ids[0]', 'ids[-1]',
  'ids[999999]', 'ids[1e3]', 'ids[01]', 'ids[ 1]', 'ids[9999999]', 'ids[0][0]', 'ids[', 'ids]', 'ids[__proto__]', 'orders',
  'orders[]', 'orders[0]', 'orders[0][pair]', 'orders[0][orders][0][pair]', 'orders[999999][pair]', 'orders[9999999][pair]',
  'orders[-1][qty]', 'orders[][pair]', 'orders[0][]', 'orders[0][__proto__]', 'orders[__proto__][pair]', 'orders[0][pair',
  'orders[0]pair]', 'orders[0][timestamp]', 'orders[0][recv_window]', 'orders[1][pair]', 'timestamp', 'recv_window', 'limit',
  'start', 'end', 'interval', 'leverage', 'hidden', 'icebergs', 'trigger_event', 'price', 'id', '\u0000', '😀', '\ud800',
  `orders${'[0]'.repeat(1_000)}`, `${'a['.repeat(2_000)}`, `${'['.repeat(5_000)}`, `orders[0]${']'.repeat(3_000)}`, 'n'.repeat(5_000),
];
export const METHODS = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'get',
  'post',
  '',
  'GET ',
];
// biome-ignore format: a list
export const TYPES = [
  'application/json', 'multipart/form-data; boundary=x', 'text/plain', '', 'application/x-www-form-urlencoded; charset=utf-8',
  'APPLICATION/X-WWW-FORM-URLENCODED', 'application/x-www-form-urlencodedx', 'x'.repeat(2_000), '__proto__',
];
