/** Ends of a session in the foreground that a script must be able to tell from an ordinary one. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KEYS, oneDocument, run, runJson, start, startVenue, withFolder, writePackage } from './program.js';

const PAIR = 'USD_BTC_PERP';

/** The work at a venue of its own, in a folder of its own. */
async function atVenue(work: (at: { readonly cwd: string; readonly url: string }) => Promise<void>) {
  const { url, running } = await startVenue(['--synthetic', '7']);
  try {
    await withFolder((cwd) => work({ cwd, url }));
  } finally {
    running.child.kill('SIGKILL');
  }
}

const session = (url: string, ...more: readonly string[]) =>
  ['run', 'market-maker', '--live', '--journal', 'bot', '--warm-up', '1m', '--venue', url, ...more] as const;

/** What no session of the bot knows of. */
async function byHand(url: string): Promise<void> {
  const order = ['order', '--pair', PAIR, '--side', 'buy', '--quantity', '0.05', '--yes', '--json'];
  const result = await runJson([...order, '--venue', url], { env: KEYS });
  expect(result['order']).toMatchObject({ filledQuantity: '0.05' });
}

/** Quotes a bid far off, and calls a package that throws later, in a timer of its own. */
const CAREFREE = `import { defineStrategy, quote } from 'tickwright';
import { later } from 'carefree';
let calls = 0;
export default defineStrategy({
  name: 'carefree-quotes',
  create: () => ({
    onTrade({ price }) {
      if (++calls === 20) later();
      return quote({ bid: { price: Math.round(price * 0.9), quantity: '0.01' } });
    },
  }),
});
`;

describe.concurrent('a session in the foreground', () => {
  it('cancels its orders when a package of its strategy throws where nobody can catch it, and says whose error it is', () =>
    atVenue(async ({ cwd, url }) => {
      const throwing =
        "export const later = () => void setInterval(() => { throw new Error('oops'); }, 1_500);";
      writePackage(cwd, 'carefree', throwing);
      await writeFile(join(cwd, 'carefree-quotes.ts'), CAREFREE);
      const given = ['carefree-quotes.ts', '--live', '--journal', 'bot', '--warm-up', '0s', '--venue', url];
      const { code, stderr } = await run(['run', ...given], { cwd, env: KEYS });
      expect(stderr).toContain(
        'error: carefree-quotes.ts: oops (thrown by the package carefree, which it imports)',
      );
      expect(stderr).not.toContain('bug in tickwright');
      expect(stderr.match(/oops/g)).toHaveLength(1);
      expect(code).toBe(1);
      const all = ['orders', '--pair', PAIR, '--state', 'all', '--json', '--venue', url];
      const orders = JSON.stringify(await runJson(all, { env: KEYS }));
      // It had one, and none is left.
      expect(orders).toMatch(/cancel/i);
      expect(orders).not.toMatch(/"state":"(active|ACTIVE)"/);
    }));

  it('does not begin before a person has looked at what nobody can explain, and says how', () =>
    atVenue(async ({ cwd, url }) => {
      expect((await run(session(url, '--for', '3s'), { cwd, env: KEYS })).code).toBe(0);
      await byHand(url);
      // The second one finds it in the journal.
      for (const round of [1, 2]) {
        const { code, stdout, stderr } = await run(session(url), { cwd, env: KEYS });
        expect([code, stdout], `round ${round}: ${stderr}`).toEqual([3, '']);
        expect(stderr).toMatch(/error: USD_BTC_PERP needs an operator: fill \d+ is of no order of ours/);
        expect(stderr).toContain(`hint: tickwright attach --plan --journal bot --venue ${url}`);
        expect(stderr).toContain('tickwright attach --accept --journal bot');
        expect(stderr).not.toContain('cannot be read');
      }
      const who = ['--accept', '--by', 'anna', '--reason', 'by hand', '--yes'];
      const attach = ['attach', ...who, '--journal', 'bot', '--venue', url];
      expect((await run(attach, { cwd, env: KEYS })).code).toBe(0);
      const next = start(session(url), { cwd, env: KEYS });
      await next.said('live: market-maker');
      next.child.kill('SIGTERM');
      expect((await next.ended).code).toBe(143);
    }));

  it('says of itself that it was quarantined, in its result and its exit code', () =>
    atVenue(async ({ cwd, url }) => {
      // It quotes far off: an order of its own account that met one of its own would be canceled as a self-trade.
      const live = start(session(url, '--json', '--set', 'minHalfSpread=0.02'), { cwd, env: KEYS });
      await live.said('live: market-maker');
      await byHand(url);
      await live.said('an operator has to look');
      live.child.kill('SIGTERM');
      const { code, stdout, stderr } = await live.ended;
      expect(code, stderr).toBe(3);
      const result = oneDocument(stdout);
      expect(result['quarantine']).toMatch(/^fill \d+ is of no order of ours$/);
      expect(result).not.toHaveProperty('halt');
      expect(Number(result['venuePosition']) - Number(result['position'])).toBeCloseTo(0.05);
      expect(stderr).toContain('hint: tickwright attach --plan --journal bot');
    }));

  it('says that a HALT file has to go before a resume, and needs no more than the two', () =>
    atVenue(async ({ cwd, url }) => {
      const file = join(cwd, 'bot', 'HALT');
      await mkdir(join(cwd, 'bot'));
      await writeFile(file, 'pause the news');
      const brief = session(url, '--for', '2s');
      const halted = await run(brief, { cwd, env: KEYS });
      expect(halted.code, halted.stderr).toBe(3);
      expect(halted.stderr).toContain('is HALTED: pause (the news)\nhint: rm bot/HALT comes first');
      const resume = ['resume', '--journal', 'bot', '--reason', 'TEXT'];
      expect(halted.stderr).toContain(`hint: tickwright ${resume.join(' ')} ends it`);
      expect((await run([...resume, '--yes'], { cwd })).stderr).toContain('bot/HALT must be gone');
      await rm(file);
      // The halt outlives its file.
      const without = await run(brief, { cwd, env: KEYS });
      expect(without.code, without.stderr).toBe(3);
      expect(without.stderr).not.toContain('hint: rm');
      expect((await run([...resume, '--yes'], { cwd })).code).toBe(0);
      expect((await run(brief, { cwd, env: KEYS })).code).toBe(0);
    }));

  it.each([
    ['secret', { ...KEYS, TICKWRIGHT_VENUE__API_SECRET: 'another-secret' }, 'bad signature'],
    ['key', { ...KEYS, TICKWRIGHT_VENUE__API_KEY: 'another-key' }, 'unknown key'],
  ])('does not begin with a %s that the venue refuses', (_, env, reason) =>
    atVenue(async ({ cwd, url }) => {
      const { code, stdout, stderr } = await run(session(url), { cwd, env });
      expect([code, stdout], stderr).toEqual([77, '']);
      expect(stderr).toContain(`error: the venue at ${url} refuses the key: ${reason}`);
      expect(stderr).not.toContain(env.TICKWRIGHT_VENUE__API_SECRET);
    }));

  it('proves its decisions where it has all its inputs, with a journal and without, or says why not', () =>
    atVenue(async ({ cwd, url }) => {
      const live = await run(session(url, '--for', '3s', '--json'), { cwd, env: KEYS });
      expect(live.code, live.stderr).toBe(0);
      expect(oneDocument(live.stdout)).toMatchObject({ mode: 'live', parity: true });

      const own = join(cwd, 'own.ts');
      const source = (price: number) => `import { defineStrategy, quote } from 'tickwright';
export default defineStrategy({
  name: 'own',
  create: () => ({
    onTrade: () => quote({ bid: { price: ${price}, quantity: '0.01' }, ask: undefined }),
  }),
});
`;
      await writeFile(own, source(50_000));
      const onPaper = ['run', 'own.ts', '--warm-up', '1m', '--venue', url, '--for', '3s'];
      const same = await run(onPaper, { cwd });
      expect(same.code, same.stderr).toBe(0);
      expect(same.stdout).toContain('parity    a second process computed the same decisions');

      const edited = start([...onPaper, '--json'], { cwd });
      await edited.said('paper: own');
      await writeFile(own, source(50_001));
      const { code, stdout, stderr } = await edited.ended;
      expect(code, stderr).toBe(0);
      expect(oneDocument(stdout)).not.toHaveProperty('parity');
      expect(stderr).toContain('parity could not be checked: the file of the strategy has changed');

      const open = start(onPaper.slice(0, -2), { cwd });
      await open.said('paper: own');
      open.child.kill('SIGTERM');
      const ended = await open.ended;
      expect(ended.code, ended.stderr).toBe(143);
      expect(ended.stdout).not.toContain('parity    ');
    }));
});
