/** What `start --detach` says is what `status` and `open` say right after it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PAIR, withDesk } from './daemon-desk.js';
import { KEYS, oneDocument, ROOT, run, withFolder } from './program.js';

const OTHER = 'USD_ETH_PERP';
const THROWING = `import { defineStrategy } from 'tickwright';
export default defineStrategy({
  name: 'throwing',
  create: () => ({ onTrade() { throw new Error('no trade is good enough'); } }),
});
`;
/** What is said of a daemon that did not answer in time. */
const UNHEARD = /^HUNG|does not answer/m;
const STOPPED = `${PAIR}: the strategy is stopped: `;

function throwingIn(folder: string): string {
  const file = join(folder, 'throwing.ts');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, THROWING);
  return file;
}

it('a daemon whose only strategy throws on its first trade is not called started', () =>
  withFolder((folder) =>
    withDesk(
      { folder, strategies: `  - { file: ${throwingIn(folder)}, pair: ${PAIR} }` },
      async ({ config }) => {
        const paper = join(folder, 'paper.yaml');
        writeFileSync(paper, readFileSync(config, 'utf8').replace('mode: live', 'mode: paper'));
        const started = await run(['start', '--config', paper, '--detach', '--json']);
        try {
          expect(started.code, started.stderr).toBe(3);
          expect(oneDocument(started.stdout)).toMatchObject({ mode: 'paper', ready: false });
          expect(started.stderr).toContain('the daemon runs, and none of its strategies does');
          expect(started.stderr).toContain(STOPPED);
          expect(started.stderr).toContain('no trade is good enough');
          const status = await run(['status', '--config', paper]);
          expect(status.code).toBe(3);
        } finally {
          expect((await run(['stop', '--config', paper])).code).toBe(0);
        }
      },
    ),
  ));

it('live, one of two strategies that throws at once is warned of, and the other one trades', () =>
  withFolder((folder) => {
    const maker = join(ROOT, 'strategies', 'market-maker.ts');
    const strategies =
      `  - { file: ${throwingIn(folder)}, pair: ${PAIR} }\n` + `  - { file: ${maker}, pair: ${OTHER} }`;
    return withDesk({ folder, strategies, pairs: [PAIR, OTHER] }, async (desk) => {
      const started = await desk.tickwright('start', '--live', '--no-certificate', '--detach');
      expect(started.code, started.stderr).toBe(0);
      expect(started.stderr).toContain(`warning: ${STOPPED}`);
      await desk.quoting(OTHER);
      expect((await desk.tickwright('stop')).code).toBe(0);
    });
  }));

it('a healthy daemon that was started live is healthy for who asks at once', () =>
  withFolder((folder) =>
    withDesk({ folder }, async (desk) => {
      await desk.start();
      let { code, stdout } = await desk.tickwright('status');
      // Where everything is slow, it may miss the time in which it must answer: then it was not asked.
      for (let left = 10; UNHEARD.test(stdout) && left > 0; left--)
        ({ code, stdout } = await desk.tickwright('status'));
      expect(code, stdout).toBe(0);
      const stopped = await run(['stop', '--config', desk.config], { env: KEYS });
      expect(stopped.code, stopped.stderr).toBe(0);
    }),
  ));

it('a daemon with a sentinel says where both write their logs', () =>
  withFolder((folder) =>
    withDesk({ folder }, async (desk) => {
      const started = await desk.tickwright('start', '--live', '--no-certificate', '--sentinel', '--detach');
      expect(started.code, started.stderr).toBe(0);
      const [, log = '', sentinelLog = ''] =
        /; its log is (\S+), that of its sentinel (\S+)$/m.exec(started.stderr) ?? [];
      expect([log, sentinelLog]).toEqual(
        ['daemon.log', 'sentinel.log'].map((name) => join(desk.state, name)),
      );
      await desk.until('the log of the sentinel', () => existsSync(sentinelLog));
      expect((await desk.tickwright('stop')).code).toBe(0);
    }),
  ));

describe('a daemon with control.http', () => {
  it('says where its HTTP is, and makes no link to a page that it does not have', () =>
    withFolder((folder) =>
      withDesk({ folder, more: 'control: { http: "127.0.0.1:0" }' }, async (desk) => {
        const started = await desk.tickwright('start', '--live', '--no-certificate', '--detach');
        expect(started.code, started.stderr).toBe(0);
        expect(started.stderr).toContain(`, HTTP at ${desk.file().url};`);
        const opened = await desk.tickwright('open');
        expect([opened.code, opened.stdout, opened.stderr]).toEqual([
          2,
          '',
          'error: control.dashboard must be true for a link, received false\n',
        ]);
        expect(desk.log()).toMatch(/^ready live, process \d+, HTTP at http:/m);
        expect((await desk.tickwright('stop')).code).toBe(0);
      }),
    ));

  it('and control.dashboard says where its dashboard is', () =>
    withFolder((folder) =>
      withDesk({ folder, more: 'control: { http: "127.0.0.1:0", dashboard: true }' }, async (desk) => {
        const started = await desk.tickwright('start', '--live', '--no-certificate', '--detach');
        expect(started.code, started.stderr).toBe(0);
        expect(started.stderr).toContain(`, dashboard at ${desk.file().url};`);
        expect(desk.log()).toMatch(/^ready live, process \d+, dashboard at http:/m);
        expect((await desk.tickwright('stop')).code).toBe(0);
      }),
    ));
});
