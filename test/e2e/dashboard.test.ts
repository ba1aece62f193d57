import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pairFacts, recentFacts, RUNS, statusFacts } from '../daemon/dashboard/facts.js';
import {
  type Browser,
  type Context,
  launch,
  MAY_SKIP,
  NO_BROWSER,
  type Page,
  violations,
  watch,
} from './browser.js';
import { type Script, type Stage, startStage } from './dashboard/stage.js';
import { asserted } from './machine-speed.js';
import {
  oneDocument,
  PATIENCE_MS,
  ROOT,
  run,
  runJson,
  start,
  startVenue,
  until,
  withFolder,
} from './program.js';

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1_440, height: 900 };
/** Published bounds. */
const FIRST_PAINT_MS = 1_000;
const HUNG_MS = 4_000;
const HOSTILE = `</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">'"&\u202e\u0000`;
const LONG = `${HOSTILE}${'A'.repeat(10_000)}`;

/** By how much the page is wider than its window. */
const OVERFLOW = 'document.documentElement.scrollWidth - innerWidth';
/** What of the page looks different in each state. */
const AT_A_GLANCE = '.top, .controls, .problems, .alarm';

const within = (origin: string) => (url: string) => url.startsWith(`${origin}/`);

let browser: Browser;

describe.skipIf(MAY_SKIP)(`the dashboard in a browser (skipped: ${NO_BROWSER})`, () => {
  beforeAll(async () => {
    expect(NO_BROWSER).toBe('');
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
  });

  describe('of a real daemon', () => {
    it('is opened by a link that works once, shows what happens, and pauses it when told so twice', () =>
      withDaemon(async ({ cwd, child, url, link }) => {
        const context = await browser.newContext({ viewport: DESK });
        context.setDefaultTimeout(PATIENCE_MS);
        const page = await context.newPage();
        const wrongs = watch(page, within(url));
        await page.goto(await link(true));
        await page.getByText(/^running$/).waitFor();
        const times = () =>
          page.evaluate<readonly number[]>(
            `['first-contentful-paint', 'tickwright-facts'].flatMap((name) => performance.getEntriesByName(name).map(({ startTime }) => startTime))`,
          );
        // What is in the page already may not be painted yet.
        await expect.poll(times).toHaveLength(2);
        const [paint = Number.NaN, facts = Number.NaN] = await times();
        console.log(
          `first paint after ${paint.toFixed(0)} ms, first facts after ${facts.toFixed(0)} ms (bound ${FIRST_PAINT_MS} ms)`,
        );
        const most = asserted(FIRST_PAINT_MS);
        expect(paint).toBeLessThan(most);
        expect(facts).toBeLessThan(most);
        expect(await page.locator('.mode').innerText()).toMatch(/PAPER\s+running/);
        await page.getByText(/^up to date$/).waitFor();
        await page.locator('.plot canvas').first().waitFor();

        // What happens arrives by itself: orders, then fills.
        const working = page.locator('.orders > div:has-text("Working") li bdi').first();
        await working.waitFor();
        expect(await working.innerText()).toMatch(/^(buy|sell) [\d.]+ @ [\d.]+$/);
        await page.locator('.fact:has(dt:text-is("Fills")) dd:not(:text-is("0"))').waitFor();

        await page.getByRole('button', { name: 'Pause…' }).press('Enter');
        const dialog = page.locator('dialog');
        await dialog.waitFor();
        await page.getByLabel(/^Reason/).fill(HOSTILE);
        await page.getByLabel(/^Type/).fill('resume');
        const ask = page.getByRole('button', { name: 'Pause', exact: true });
        expect(await ask.isDisabled()).toBe(true);
        await page.getByLabel(/^Type/).fill('pause');
        await page.keyboard.press('Enter');
        await page.getByText('Pause: done.').waitFor();
        await page.getByText(/^paused$/).waitFor();
        // It is told to programs by the exit code, too.
        const status = async () => {
          const { code, stdout } = await run(['status', '--config', 'daemon.yaml', '--json'], { cwd });
          return { code, ...oneDocument(stdout) };
        };
        const by = expect.stringContaining('dashboard') as string;
        await expect.poll(status).toMatchObject({ code: 3, state: 'paused', halted: { level: 'pause', by } });
        expect(await page.locator('.problems').innerText()).toContain('<script>window.hacked=1</script>');

        await page.getByRole('button', { name: 'Resume…' }).click();
        await page.getByLabel(/^Reason/).fill('the test goes on');
        await page.getByLabel(/^Type/).fill('pause');
        await page.keyboard.press('Enter');
        await page.getByText(/^running$/).waitFor();
        expect(await page.evaluate('window.hacked')).toBeUndefined();
        expect(wrongs).toEqual([]);

        // The link was used: nobody else gets in by it, and another one may only read.
        const other = await (await browser.newContext()).newPage();
        expect((await other.goto(page.url()))?.status()).toBe(401);
        const reader = await (await browser.newContext()).newPage();
        await reader.goto(await link(false));
        await reader.getByText(/^Read only/).waitFor();
        expect(await reader.locator('.buttons button').count()).toBe(0);

        // A stopped process is not taken for one that has nothing to say.
        child.kill('SIGSTOP');
        const stopped = performance.now();
        await page.getByText('No news from the daemon').waitFor();
        console.log(`a stopped daemon is told after ${((performance.now() - stopped) / 1_000).toFixed(1)} s`);
        await expect.poll(() => page.title()).toMatch(/^⚠ PAPER no contact/);
        expect(await page.locator('.facts-of-now.old').count()).toBe(1);
        child.kill('SIGCONT');
        await page.getByText(/^up to date$/).waitFor();

        await page.getByRole('button', { name: 'Stop…' }).click();
        await page.getByLabel(/^Reason/).fill('the test is over');
        await page.getByLabel(/^Type/).fill('cancel');
        await page.keyboard.press('Enter');
        await page.getByText(/No news from the daemon/).waitFor();
      }));
  });

  // Each has a stage and a browser's context of its own, and mostly waits.
  describe.concurrent('of a daemon on a stage', () => {
    it.each([
      ['a phone', PHONE, 'dark', 'rgb(14, 17, 21)'],
      ['a desk', DESK, 'light', 'rgb(243, 244, 246)'],
    ] as const)('has nothing that axe finds wrong on %s (%o, %s), in any state', async (_, viewport, colorScheme, background) => {
      const recent = (kind: string) => recentFacts(kind).slice(0, 3);
      await onStage({ recent }, { viewport, colorScheme }, async ({ page, stage, wrongs }) => {
        expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(background);
        expect(await violations(page, 'body')).toEqual([]);
        const states = [
          statusFacts({ mode: 'live', problems: [] }),
          statusFacts({
            state: 'paused',
            halted: { level: 'pause', reason: 'lunch', by: 'anna', mark: 'm' },
          }),
          statusFacts({
            state: 'halted',
            halted: { level: 'cancel', reason: 'loss', by: 'gate', mark: 'm' },
          }),
        ];
        for (const status of states) {
          stage.script.status = status;
          await stage.say(status);
          const light = status.state === 'running' ? 'live' : status.state;
          await page.locator(`:root[data-light="${light}"]`).waitFor();
          expect(await violations(page, AT_A_GLANCE), light).toEqual([]);
        }
        await page.getByRole('button', { name: 'Stop…' }).click();
        await page.locator('dialog').waitFor();
        expect(await violations(page, 'dialog')).toEqual([]);
        await page.keyboard.press('Escape');
        expect(await page.evaluate(OVERFLOW)).toBeLessThanOrEqual(0);
        stage.script.status = statusFacts({ state: 'hung' });
        stage.script.silentMs = 12_000;
        await stage.say(stage.script.status);
        await page.getByText('The engine hangs').waitFor();
        expect(await violations(page, AT_A_GLANCE), 'hung').toEqual([]);
        expect(wrongs).toEqual([]);
      });
    });

    it('would have what is wrong found by axe', async () => {
      await onStage({}, { viewport: DESK }, async ({ page }) => {
        await page.evaluate(`(() => {
          const pale = document.createElement('p');
          pale.textContent = 'pale';
          pale.style.color = '#ddd';
          document.querySelector('.controls').append(document.createElement('button'), pale);
        })()`);
        const found = await violations(page, '.controls');
        expect(new Set(found.map((each) => each.split(':')[0]))).toEqual(
          new Set(['button-name', 'color-contrast']),
        );
      });
    });

    it('is worked by keyboard alone, and shows where it is', async () => {
      await onStage({}, { viewport: DESK }, async ({ page }) => {
        // What comes later than the status is there to be reached, too.
        await page.getByRole('button', { name: '4 h' }).first().waitFor();
        await page.getByRole('button', { name: 'Look again' }).waitFor();
        await page.keyboard.press('Tab');
        expect(await page.evaluate('document.activeElement.textContent')).toContain('Skip to the content');
        const seen: string[] = [];
        for (let i = 0; i < 80; i++) {
          await page.keyboard.press('Tab');
          const { name, outline, top, isBody } = await page.evaluate<{
            name: string;
            outline: number;
            top: number;
            isBody: boolean;
          }>(`(() => {
            const at = document.activeElement;
            const { outlineStyle, outlineWidth } = getComputedStyle(at);
            const { top, bottom } = at.getBoundingClientRect();
            return {
              name: at.getAttribute('aria-label') ?? at.textContent.trim().slice(0, 40),
              outline: outlineStyle === 'none' ? 0 : parseFloat(outlineWidth),
              top: bottom < 0 || top > innerHeight ? -1 : top,
              isBody: at === document.body,
            };
          })()`);
          if (isBody) break;
          expect(outline, `the outline of ${name}`).toBeGreaterThanOrEqual(2);
          expect(top, `the place of ${name}`).toBeGreaterThanOrEqual(0);
          seen.push(name);
        }
        // Every part is reached in the order of the page, and the end is left: no trap.
        const order = ['Dark', 'Overview', 'Pause…', 'Stop…', 'Parameters (4)', '4 h', 'Look again'];
        expect(
          seen.filter((name) => order.includes(name)).filter((name, i, all) => all.indexOf(name) === i),
        ).toEqual(order);
        expect(seen.length).toBeLessThan(80);
      });
    });

    it('keeps the focus in its dialog, and gives it back at Escape', async () => {
      await onStage({}, { viewport: PHONE }, async ({ page, stage }) => {
        const button = page.getByRole('button', { name: 'Flatten…' });
        await button.press('Enter');
        await page.locator('dialog').waitFor();
        for (let i = 0; i < 12; i++) {
          await page.keyboard.press('Tab');
          expect(
            await page.evaluate(
              'document.activeElement === document.body || document.activeElement.closest("dialog") !== null',
            ),
          ).toBe(true);
        }
        await page.keyboard.press('Escape');
        await page.locator('dialog').waitFor({ state: 'hidden' });
        expect(await page.evaluate('document.activeElement.textContent')).toBe('Flatten…');
        expect(stage.posted).toEqual([]);
      });
    });

    it('sends what was typed, with the token of the page, and tells a refusal', async () => {
      await onStage({}, { viewport: DESK }, async ({ page, stage }) => {
        await page.getByRole('button', { name: 'Flatten…' }).click();
        await page.getByLabel(/^Reason/).fill('going home');
        await page.getByLabel(/^Type/).fill('flatten');
        await page.keyboard.press('Enter');
        await page.getByText(/^Flatten: under way\./).waitFor();
        expect(stage.posted).toEqual([
          {
            path: '/api/flatten',
            token: 'a-token-of-the-page',
            body: { reason: 'going home', confirm: 'flatten' },
          },
        ]);
        await page.getByRole('button', { name: 'Pause…' }).click();
        await page.getByLabel(/^Reason/).fill('too late');
        await page.getByLabel(/^Type/).fill('pause');
        // Now: a page that asks anything else before would have signed out.
        stage.script.session = 401;
        await page.keyboard.press('Enter');
        await page.getByText(/^Not done: a token is needed/).waitFor();
      });
    });

    it('has a way to each of many pairs, and does not let many problems push them off the screen', async () => {
      const pairs = Array.from({ length: 30 }, (_, at) =>
        pairFacts(`USD_COIN${at}_PERP`, at === 27 ? { state: 'QUARANTINED', permission: 'reduce-only' } : {}),
      );
      const problems = pairs.map(({ pair }) => `${pair} is SUSPECT: ${'a long reason, '.repeat(20)}`);
      await onStage({ status: statusFacts({ pairs, problems }) }, { viewport: PHONE }, async ({ page }) => {
        const shown = () => page.evaluate<number>(`document.querySelector('.problems').offsetHeight`);
        expect(await shown()).toBeLessThan(2 * PHONE.height);
        await page.getByText(/^and 26 more$/).click();
        expect(await page.locator('.problems').innerText()).toContain('USD_COIN29_PERP');
        expect(await violations(page, '.problems, .pair-index')).toEqual([]);
        expect(await page.locator('.pair-index .bad').innerText()).toBe('QUARANTINED');
        await page.getByRole('link', { name: 'USD_COIN27_PERP' }).click();
        const top = () =>
          page.evaluate<number>(
            `document.getElementById('pair-USD_COIN27_PERP').getBoundingClientRect().top`,
          );
        await until('its card at the top', async () => (await top()) < PHONE.height / 2);
        expect(await page.evaluate(OVERFLOW)).toBeLessThanOrEqual(0);
      });
    });

    it('has every button, and each line of the log, whole in the window of a phone while one pair of several is halted', async () => {
      const halted = { level: 'pause', reason: 'liquidated', by: 'liquidation', mark: 'm' } as const;
      const status = statusFacts({ mode: 'live', halted });
      await onStage({ status }, { viewport: PHONE }, async ({ page }) => {
        await page.getByRole('button', { name: 'Resume…' }).waitFor();
        const outside = await page.evaluate<readonly string[]>(`(() => {
          const buttons = [...document.querySelectorAll('.controls .buttons button')];
          const isOutside = ({ left, right, bottom }) => left < 0 || right > innerWidth || bottom > innerHeight;
          return buttons.filter((each) => isOutside(each.getBoundingClientRect())).map((each) => each.textContent);
        })()`);
        expect(outside).toEqual([]);
        await page.getByText('USD_ETH_PERP: an order is in doubt').first().waitFor();
        const beyond = await page.evaluate<number>(`(() => {
          const log = [...document.querySelectorAll('.scroll')].find((each) => each.textContent.includes('daemon’s log'));
          return log.scrollWidth - log.clientWidth;
        })()`);
        expect(beyond).toBe(0);
      });
    });

    it('does not say of a pair whose strategy failed that it may trade', async () => {
      const failed = pairFacts('USD_SOL_PERP', { running: false, failure: 'it threw', working: [] });
      const status = statusFacts({ pairs: [pairFacts('USD_BTC_PERP'), failed] });
      await onStage({ status }, { viewport: DESK }, async ({ page }) => {
        await page.getByText('FAILED').first().waitFor();
        const heads = await page.evaluate<readonly string[]>(
          `[...document.querySelectorAll('.card-head')].map((each) => each.innerText)`,
        );
        expect(heads).toEqual([
          expect.stringContaining('may trade'),
          expect.not.stringMatching(/may (only )?(trade|reduce|cancel)/),
        ]);
      });
    });

    it('shows the stops of a pair apart from its orders, and whether they cover its position', async () => {
      const triggerPrice = '66000.0';
      const stop = {
        side: 'sell',
        quantity: '0.125',
        price: undefined,
        triggerPrice,
        state: 'working',
      } as const;
      const left = { orderId: '17', side: 'sell', quantity: '0.125', triggerPrice } as const;
      const pairs = [
        pairFacts('A_PERP', { orders: ['9'], working: [{ ...stop, orderId: '9' }] }),
        pairFacts('B_PERP', { orders: ['17', '18'], working: [], leftStops: [left], bareMs: 12_000 }),
        pairFacts('C_PERP', { orders: [], working: [], bareMs: 65_000 }),
      ];
      await onStage({ status: statusFacts({ pairs }) }, { viewport: PHONE }, async ({ page }) => {
        await page.locator('.card').first().waitFor();
        const said = await page.evaluate<readonly (readonly string[])[]>(
          `[...document.querySelectorAll('.orders > div:last-child')].map((each) => each.innerText.split(/\\n+/))`,
        );
        expect(said).toEqual([
          ['Working (0)', 'none', 'Stop', 'sell 0.125 stop 66000.0 9', 'the whole position is covered'],
          [
            'Working (0)',
            'none',
            'Stop',
            'sell 0.125 stop 66000.0 17, left by an earlier session',
            'this session has had none of its own for 12 s',
            'Also at the venue (1)',
            '18',
          ],
          ['Working (0)', 'none', 'Stop', 'none at the venue: bare for 1 min 5 s'],
        ]);
        expect(await page.evaluate(OVERFLOW)).toBeLessThanOrEqual(0);
        expect(await violations(page, '.orders')).toEqual([]);
      });
    });

    it('takes no text for markup, however hostile or long', async () => {
      const hostile: Partial<Script> = {
        status: statusFacts({
          venue: LONG,
          version: LONG,
          problems: [LONG, HOSTILE],
          pnl: { [HOSTILE]: { today: LONG, session: HOSTILE } },
          suspense: [{ asset: LONG, amount: LONG }],
          pairs: [
            pairFacts(LONG, {
              strategy: LONG,
              reason: LONG,
              position: LONG,
              averageEntry: HOSTILE,
              wanted: LONG,
              orders: [LONG, HOSTILE],
              working: [{ side: 'buy', quantity: LONG, price: HOSTILE, state: 'working', orderId: LONG }],
              leftStops: [{ orderId: HOSTILE, side: 'sell', quantity: LONG, triggerPrice: HOSTILE }],
              params: { [HOSTILE]: LONG },
            }),
            pairFacts(HOSTILE, { failure: LONG, running: false, markPrice: LONG }),
          ],
        }),
        recent: (kind) =>
          recentFacts(kind)
            .slice(0, 40)
            .map((event) =>
              JSON.parse(
                JSON.stringify(event, (key, value: unknown) =>
                  typeof value === 'string' && !['kind', 'level', 'side', 'state'].includes(key)
                    ? LONG
                    : value,
                ),
              ),
            ),
        runs: RUNS.map((run) => ({
          ...run,
          strategy: LONG,
          pair: LONG,
          verdict: LONG,
          quote: LONG,
          runId: LONG,
        })),
      };
      await onStage(hostile, { viewport: PHONE }, async ({ page, wrongs }) => {
        await page.getByText(/^Look again$/).waitFor();
        await page.locator('#backtests tbody tr').first().waitFor();
        expect(await page.evaluate('window.hacked')).toBeUndefined();
        expect(await page.locator('#app img, #app script, #app [onerror]').count()).toBe(0);
        const text = await page.locator('#app').innerText();
        expect(text).toContain('<script>window.hacked=1</script>');
        expect(text).not.toContain('\u202e');
        expect(text).not.toContain('A'.repeat(700));
        expect(await page.evaluate(OVERFLOW)).toBeLessThanOrEqual(0);
        expect(wrongs).toEqual([]);
      });
    });

    it('shows nothing rather than something old when it cannot draw what is new', async () => {
      await onStage({}, { viewport: DESK }, async ({ page, stage }) => {
        const half = { ...statusFacts(), pairs: [{ pair: 'of another version' }] };
        // Told again each second: the page may not listen yet.
        stage.script.status = half as unknown as Script['status'];
        await page.getByText('This page failed').waitFor();
        await until('the title', async () => (await page.title()) === '⚠ page failed · tickwright');
        expect(await page.locator('.tiles').count()).toBe(0);
        stage.script.status = statusFacts();
        await page.getByRole('button', { name: 'Load it again' }).click();
        await page.locator('.tiles').waitFor();
      });
    });

    it('says at once that its engine hangs, and for how long, and when it is well again', async () => {
      await onStage({}, { viewport: DESK }, async ({ page, stage }) => {
        stage.script.isTelling = false;
        stage.script.status = statusFacts({ state: 'hung', mode: 'live' });
        stage.script.silentMs = 90_000;
        await page.getByText('The engine hangs').waitFor({ timeout: asserted(HUNG_MS) });
        expect(await page.locator('.mode').innerText()).toMatch(/LIVE\s+hung/);
        stage.script.status = statusFacts({ mode: 'live' });
        stage.script.isTelling = true;
        // Both at one moment: a browser that waits for its turn may hear nothing for three seconds again.
        await page.locator('body:has(.fresh .on):not(:has(.alarm))').waitFor();
      });
    });

    it('connects again after its daemon was gone, and asks for a link when its session is over', async () => {
      await onStage({}, { viewport: DESK }, async ({ page, stage }) => {
        stage.script.isTelling = false;
        stage.script.session = undefined;
        stage.hangUp();
        await page.getByText('No news from the daemon').waitFor();
        stage.script.session = 200;
        stage.script.isTelling = true;
        await page.getByText(/^up to date$/).waitFor();
        stage.script.session = 401;
        stage.hangUp();
        await page.getByText('This page is signed out').waitFor();
      });
    });

    it('keeps its heap flat while eight hours of events come in', async () => {
      await onStage({ isTelling: false }, { viewport: DESK }, async ({ page, stage, context }) => {
        const session = await context.newCDPSession(page);
        const heap = async () => {
          await session.send('HeapProfiler.collectGarbage');
          return ((await session.send('Runtime.getHeapUsage'))['usedSize'] ?? Number.NaN) / 1_048_576;
        };
        const hours: number[] = [];
        for (let hour = 1; hour <= 8; hour++) {
          await feedAnHour(stage, hour);
          await saidUntilSeen(page, stage, `end of hour ${hour}.`);
          hours.push(await heap());
        }
        const rounded = hours.map((each) => each.toFixed(1)).join(', ');
        console.log(`heap of the tab after each of eight hours of events, MiB: ${rounded}`);
        // The lists are full after the second hour.
        expect((hours.at(-1) ?? Number.NaN) - (hours[1] ?? Number.NaN)).toBeLessThan(4);
      });
    });

    it('does not move for those who asked for that', async () => {
      const animations = `getComputedStyle(document.querySelector('.alarm')).animationName`;
      const hung = { status: statusFacts({ state: 'hung' }), silentMs: 9_000 };
      for (const [reducedMotion, name] of [
        ['reduce', 'none'],
        ['no-preference', 'breathe'],
      ] as const) {
        await onStage(hung, { viewport: DESK, reducedMotion }, async ({ page }) => {
          await page.getByText('The engine hangs').waitFor();
          expect(await page.evaluate(animations)).toBe(name);
        });
      }
    });

    it('keeps the theme that was chosen', async () => {
      await onStage({}, { viewport: PHONE, colorScheme: 'light' }, async ({ page, stage, context }) => {
        await page.getByRole('button', { name: 'Dark' }).click();
        const again = await context.newPage();
        await again.goto(stage.url);
        await again.locator(':root[data-theme="dark"]').waitFor();
      });
    });
  });
});

interface Scene {
  readonly page: Page;
  readonly stage: Stage;
  readonly context: Context;
  readonly wrongs: readonly string[];
}

async function onStage(
  script: Partial<Script>,
  options: Parameters<Browser['newContext']>[0],
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  const stage = await startStage(script);
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  try {
    const page = await context.newPage();
    const wrongs = watch(page, within(stage.url));
    await page.goto(stage.url);
    await page.locator('.tiles').waitFor();
    await work({ page, stage, context, wrongs });
  } finally {
    await context.close();
    await stage.close();
  }
}

/** Again and again: what is under way to a page whose stream breaks is lost. Minutes where everybody waits for a core. */
async function saidUntilSeen(page: Page, stage: Stage, text: string): Promise<void> {
  const line = page.getByText(text).first();
  await until(text, async () => {
    await stage.say({ kind: 'log', time: Date.UTC(2026, 4, 21), level: 'info', text });
    return line.isVisible();
  });
}

/** As a daemon with a busy pair would: a status each second, an equity point each ten, and what happens between. */
async function feedAnHour(stage: Stage, hour: number): Promise<void> {
  const begin = Date.UTC(2026, 4, 20, 14) + hour * 3_600_000;
  const pairs = [pairFacts('USD_BTC_PERP')];
  for (let second = 0; second < 3_600; second++) {
    const time = begin + 1_000 * second;
    await stage.say(statusFacts({ uptimeMs: time - begin, pairs }));
    if (second % 10 === 0) {
      await stage.say({ kind: 'equity', time, asset: 'USD', equity: String(second) });
      const side = second % 20 === 0 ? 'buy' : 'sell';
      await stage.say({
        kind: 'fill',
        time,
        pair: 'USD_BTC_PERP',
        side,
        price: '67000',
        quantity: '1',
        fee: '0',
      });
      await stage.say({
        kind: 'refusal',
        time,
        pair: 'USD_BTC_PERP',
        rule: 'max-position',
        reason: `at ${time}`,
      });
    }
    if (second % 5 === 0) await stage.say({ kind: 'log', time, level: 'info', text: `line of ${time}` });
    if (second % 60 === 0) await stage.say({ kind: 'resume', time, by: `hand ${time}` });
  }
}

interface RunningDaemon {
  readonly cwd: string;
  readonly url: string;
  readonly child: { kill(signal: NodeJS.Signals): boolean };
  /** A new one-time link. */
  readonly link: (control: boolean) => Promise<string>;
}

/** A daemon on paper at a simulated venue, with a dashboard on a free port. */
async function withDaemon(work: (daemon: RunningDaemon) => Promise<void>): Promise<void> {
  const venue = await startVenue(['--synthetic', '7']);
  await withFolder(async (cwd) => {
    const config = [
      'version: 1',
      `venue: { url: ${venue.url} }`,
      'state: state',
      'poll: { trades: 200ms, position: 200ms, orders: 200ms, fills: 200ms, ticker: 200ms }',
      'strategies:',
      `  - { file: ${join(ROOT, 'strategies', 'market-maker.ts')}, pair: USD_BTC_PERP, params: {} }`,
      'control: { http: 127.0.0.1:0, dashboard: true }',
    ];
    await writeFile(join(cwd, 'daemon.yaml'), `${config.join('\n')}\n`);
    const running = start(['start', '--config', 'daemon.yaml', '--json'], { cwd });
    try {
      const said = await running.said('"url"');
      const { url } = JSON.parse(said) as { readonly url: string };
      await work({
        cwd,
        url,
        child: running.child,
        async link(control) {
          const flags = control ? ['--control'] : [];
          const { url: once } = await runJson(['open', '--config', 'daemon.yaml', ...flags, '--json'], {
            cwd,
          });
          return String(once);
        },
      });
    } finally {
      running.child.kill('SIGCONT');
      running.child.kill('SIGTERM');
      await running.ended;
    }
  });
  venue.running.child.kill('SIGKILL');
}
