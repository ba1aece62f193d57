/** What the fuzzing found, each by itself. */
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startVenueServer, type VenueServer } from '../../../src/venue/http/server.js';
import { ANNA, BERT, bookCore, BTC, Desk, form, PAIR, sign } from './desk.js';
import { defineMarket } from '../../../src/model/market.js';
import { VirtualTime } from './virtual-time.js';

const SPOT = defineMarket({
  pair: 'BTC_USD',
  base: 'BTC',
  quote: 'USD',
  contract: 'spot',
  price: { min: '0.5', max: '1000000', step: '0.5' },
  quantity: { min: '0.001', max: '100', step: '0.001' },
  fees: { maker: '0.0002', taker: '0.0006' },
});

const servers: VenueServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** All that comes back for these bytes, the client's half being ended after them. */
async function said(bytes: string): Promise<string> {
  const time = new VirtualTime();
  const server = await startVenueServer({
    core: bookCore(),
    drivers: [],
    clock: time,
    timers: time,
    accounts: [ANNA, BERT],
    port: 0,
  });
  servers.push(server);
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.end(bytes, 'latin1'));
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    socket.on('close', () => {
      resolve(text);
    });
    socket.on('error', reject);
  });
}

test('who asks about an asset, or is refused an order in it, does not thereby have it', async () => {
  const desk = new Desk({ core: bookCore([{ market: BTC }, { market: SPOT }]) });
  const assets = async () => Object.keys((await desk.get<object>('/balances', {}, ANNA)).result);
  expect(await assets()).toEqual(['USD']);
  expect((await desk.get('/position', { pair: 'BTC_USD' }, ANNA)).status).toBe(200);
  const order = { pair: 'BTC_USD', side: 'SELL', qty: 1, price: 60_000 };
  expect((await desk.post('/auth/order', order, ANNA)).msg).toMatch(/^insufficient balance/);
  const withdrawal = { asset: 'ETH', qty: 1, address: 'x', timestamp: desk.now };
  expect((await desk.post('/auth/withdraw', withdrawal, ANNA)).msg).toMatch(/^insufficient balance/);
  expect(await assets()).toEqual(['USD']);
  await desk.admin('/deposit', { account: 'bert', asset: 'BTC', qty: 1 });
  await desk.post('/auth/order', { ...order, qty: 0.5 }, BERT);
  await desk.post('/auth/order', { ...order, side: 'BUY', qty: 0.5 }, ANNA);
  expect(await assets()).toEqual(['USD', 'BTC']);
});

test('a signature given twice is not one left out', async () => {
  const desk = new Desk();
  const body = form({ pair: PAIR, leverage: 5 });
  const signature = sign(ANNA.secret, body);
  const headers = (given: readonly string[]) => ({
    'x-api-key': ANNA.key,
    'x-signature': given as unknown as string,
  });
  const reply = await desk.request('/leverage', {
    method: 'POST',
    body,
    headers: headers([signature, signature]),
  });
  expect(reply.msg).toMatch(/^bad signature/);
});

test('a refusal repeats no more than 40 characters of what it was given', async () => {
  const desk = new Desk();
  const id = '7'.repeat(5_000);
  expect((await desk.post('/auth/cancel', { id }, ANNA)).msg).toBe(
    `The order was not found: ${id.slice(0, 40)}`,
  );
  const { msg } = await desk.admin('/deposit', { account: 'anna', asset: 'x'.repeat(5_000), qty: 1 });
  expect(msg).toMatch(/received x{40}$/);
});

test('the admin door shows the index as it was read, not as it was written', async () => {
  const desk = new Desk();
  const reply = await desk.admin('/index', { pair: 'USD_ETH_PERP', price: '0.30000000000000004' });
  expect(reply.result).toEqual({ pair: 'USD_ETH_PERP', price: 0.3 });
});

test('requests in front of an unreadable one have their own answers, in order, before it has its', async () => {
  const get = 'GET /time HTTP/1.1\r\nHost: x\r\n\r\n';
  const body = `pair=${PAIR}&side=BUY&qty=0.001&price=50000`;
  const head = `x-api-key: ${ANNA.key}\r\nx-signature: ${sign(ANNA.secret, body)}\r\ncontent-length: ${body.length}`;
  const order = `POST /auth/order HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${body}`;
  const answers = await said(`${get}${get}${order}no HTTP at all\r\n\r\n`);
  expect(answers.match(/HTTP\/1\.1 \d+|"status":"\w+"|malformed/g)).toEqual([
    'HTTP/1.1 200',
    'HTTP/1.1 200',
    'HTTP/1.1 200',
    '"status":"ACTIVE"',
    'HTTP/1.1 503',
    'malformed',
  ]);
});

test('a request that asks for another protocol is answered, and told that nothing after it will be', async () => {
  const get = 'GET /time HTTP/1.1\r\nHost: x\r\n';
  const answers = await said(`${get}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n${get}\r\n`);
  expect(answers.match(/^HTTP\/1\.1 \d+|^connection: \w+/gim)).toEqual(['HTTP/1.1 200', 'Connection: close']);
});

test('a body that is too long is refused without a reset, though the client goes on sending', async () => {
  const head = `POST /auth/order HTTP/1.1\r\nHost: x\r\nx-api-key: ${ANNA.key}\r\ncontent-length: 3000000\r\n\r\n`;
  const answers = await said(`${head}${'x'.repeat(3_000_000)}`);
  expect(answers.match(/HTTP\/1\.1 \d+|connection: close/gi)).toEqual([
    'HTTP/1.1 503',
    expect.stringMatching(/close/),
  ]);
});

test('what follows a request for another protocol is neither answered nor acted on', async () => {
  const body = `pair=${PAIR}&side=BUY&qty=0.001&price=50000`;
  const order = `POST /auth/order HTTP/1.1\r\nHost: x\r\nx-api-key: ${ANNA.key}\r\nx-signature: ${sign(ANNA.secret, body)}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const answers = await said(
    `GET /time HTTP/1.1\r\nHost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n${order}`,
  );
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
});
