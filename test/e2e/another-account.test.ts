/** A state that is given the key of another account: nothing is begun on it, and nothing is called proven. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { KEYS, oneDocument, ROOT, run, type Running, start, until, withFolder } from './program.js';

const PAIR = 'USD_BTC_PERP';
const OTHER = { TICKWRIGHT_VENUE__API_KEY: 'other-key', TICKWRIGHT_VENUE__API_SECRET: 'other-secret' };

const running: Running[] = [];
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
});

it('is refused by a start, and proves nothing to a stop, which closes nothing of that account', () =>
  withFolder(async (folder) => {
    const accounts = [KEYS, OTHER].flatMap((keys) => [
      '--account',
      `${keys.TICKWRIGHT_VENUE__API_KEY}:${keys.TICKWRIGHT_VENUE__API_SECRET}`,
    ]);
    const venue = start(['venue', '--port', '0', '--synthetic', '3', ...accounts]);
    running.push(venue);
    const { listening } = JSON.parse(await venue.said('listening')) as { listening: string };
    const config = join(folder, 'bot.yaml');
    const lines = [
      'version: 1',
      'mode: live',
      `venue: { url: ${listening} }`,
      'state: state',
      `strategies: [{ file: ${join(ROOT, 'strategies', 'market-maker.ts')}, pair: ${PAIR} }]`,
      'limits: { maxPosition: "0.5", maxOrderQuantity: "0.2", maxGrossNotional: "50000", maxOpenOrders: 20,',
      '  maxOrdersPerMinute: 600, maxDailyLoss: "2000", priceCollar: "0.05" }',
    ];
    await writeFile(config, lines.join('\n'));
    const daemon = (env: typeof KEYS) =>
      start(['start', '--config', config, '--live', '--no-certificate'], { env });
    const asked = (env: typeof KEYS, ...args: readonly string[]) =>
      run([...args, '--config', config], { env });

    const order = [
      'order',
      '--pair',
      PAIR,
      '--side',
      'buy',
      '--quantity',
      '0.01',
      '--yes',
      '--venue',
      listening,
    ];
    expect((await run(order, { env: OTHER })).code).toBe(0);
    const first = daemon(KEYS);
    running.push(first);
    const account = join(folder, 'state', PAIR, 'account.json');
    const learned = () =>
      readFile(account, 'utf8').then(
        (text) => text !== '',
        () => false,
      );
    await until('the account of the journal is known', learned, () => first.words());
    first.child.kill('SIGKILL');
    await first.ended;

    const refused = await daemon(OTHER).ended;
    expect(refused.code, refused.stderr).toBe(78);
    expect(refused.stderr).toContain('the key must be one of account …nt-1');

    const stopped = await asked(OTHER, 'stop', '--flat', '--json');
    expect(stopped.code, stopped.stderr).toBe(5);
    expect(oneDocument(stopped.stdout)).toMatchObject({
      proven: false,
      pairs: [{ unproven: expect.arrayContaining([expect.stringContaining('account …nt-1')]), closes: [] }],
    });
    const held = await run(['positions', '--venue', listening, '--json'], { env: OTHER });
    expect(oneDocument(held.stdout)).toMatchObject({ positions: [{ pair: PAIR, quantity: '0.01' }] });

    const right = await asked(KEYS, 'stop', '--flat', '--json');
    expect(oneDocument(right.stdout)).toMatchObject({ proven: true });
  }));
