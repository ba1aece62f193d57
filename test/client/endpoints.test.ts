import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/client/endpoints.js';
import { WITHDRAW } from '../../src/client/withdraw.js';
import { ENDPOINTS as ROUTES } from '../../src/venue/http/routes.js';
import { clientDesk } from './client-desk.js';

const { clientOf, publicClientOf, withdrawClientOf } = clientDesk();

const TABLE = [
  ...Object.values(ENDPOINTS.public),
  ...Object.values(ENDPOINTS.key),
  ...Object.values(ENDPOINTS.writes),
  WITHDRAW,
];

/** Specification, Endpoints: what has a description. */
const DESCRIBED = `
  GET /trades /pairs /assets
  GET /completed_orders /fills /triggers /deposits /filled_orders /active_orders /order /position
  POST /draw /auth/withdraw /auth/cancel`;
/** Specification, Other endpoints: those that exist by name. */
const NAMED = `
  GET /active_positions /cancelled_orders /completed_positions /depth /ohlcv /orders /partially_filled_orders
  GET /personal /ticker /time /withdrawals
  POST /auth/cancel/bulk /auth/close /auth/order /auth/order/bulk /fund /leverage`;

const listed = (text: string) =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [method, ...paths] = line.trim().split(' ');
      return paths.map((path) => `${method} ${path}`);
    })
    .sort();
const inTable = (source: string) =>
  TABLE.filter((row) => row.source === source)
    .map(({ method, path }) => `${method} ${path}`)
    .sort();

describe('the table of endpoints', () => {
  it('holds the 14 that the specification describes and the 17 that it names, and two beside it', () => {
    expect(inTable('described')).toEqual(listed(DESCRIBED));
    expect(inTable('named')).toEqual(listed(NAMED));
    expect(inTable('extension')).toEqual(['GET /account', 'GET /balances']);
    expect([inTable('described').length, inTable('named').length]).toEqual([14, 17]);
  });

  it('asks for a signature exactly under /auth/, and for no key exactly where the specification shows none', () => {
    const free = ['/trades', '/pairs', '/assets', '/time', '/ticker', '/depth', '/ohlcv'];
    for (const { path, auth } of TABLE) {
      const wanted = path.startsWith('/auth/') ? 'signed' : free.includes(path) ? 'public' : 'key';
      expect([path, auth]).toEqual([path, wanted]);
    }
  });

  it('is asked by a method of the client that may ask it', () => {
    const url = 'http://127.0.0.1:9';
    const clients = { public: publicClientOf(url), key: clientOf(url), signed: clientOf(url) };
    for (const row of TABLE) {
      const client: object = row === WITHDRAW ? withdrawClientOf(url) : clients[row.auth];
      for (const call of row.call.split(', ')) {
        expect([row.path, call, typeof Reflect.get(client, call)]).toEqual([row.path, call, 'function']);
      }
    }
  });

  it('has a handler at our own venue for each row', () => {
    const routes = new Set(ROUTES.map(({ method, path }) => `${method} ${path}`));
    expect(TABLE.map(({ method, path }) => `${method} ${path}`).filter((row) => !routes.has(row))).toEqual(
      [],
    );
  });
});
