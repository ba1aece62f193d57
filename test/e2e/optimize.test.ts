import { existsSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { oneDocument, ROOT, run, runJson, start } from './program.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickwright-optimize-'));
});
afterEach(() => rm(folder, { recursive: true }));

const here = () => ({ cwd: folder });
const SPACE = ['--space', 'fast=2..6:2', 'slow=10..30:10', 'bars=1s,5s'];
/** Where it does not matter what is found: a second thread would load all there is for a trial or two. */
const ONE_THREAD = ['--workers', '1'];
const FEW = ['--space', 'fast=2,4', 'slow=10', 'bars=5s', ...ONE_THREAD];
/** It is broken off long before its end. */
const LONG = ['optimize', 'sma-cross', '--space', 'fast=2..200', 'slow=2..300', '--budget', '5000'];

const ledger = () => join(folder, 'backtest', 'runs', 'trials.ndjson');
/** The file is there before the first trial is in it. */
const isBegun = () => existsSync(ledger()) && readFileSync(ledger(), 'utf8').includes('\n');

/** Keeps counting from one run to the next: what it decides depends on what ran before. */
const KEEPER = `
import { defineStrategy, holdPosition, flat, integer } from 'tickwright';
let runs = 0;
export default defineStrategy({
  name: 'keeper',
  params: { every: integer({ default: 100, min: 1 }) },
  create({ every }) {
    const mine = ++runs;
    let seen = 0;
    return {
      onTrade() {
        seen++;
        if (seen % (every + mine) !== 0) return undefined;
        return (seen / (every + mine)) % 2 === 1 ? holdPosition('0.01') : flat();
      },
    };
  },
});
`;

/** Wants more memory than there is for one of its parameters. */
const GREEDY = `
import { defineStrategy, holdPosition, integer } from 'tickwright';
export default defineStrategy({
  name: 'greedy',
  params: { level: integer({ default: 1 }) },
  create({ level }) {
    const kept: number[][] = [];
    while (level === 2) kept.push(new Array<number>(1_000_000).fill(0.5));
    return { onTrade: () => holdPosition('0.01') };
  },
});
`;

/** Does not return for one of its parameters. */
const SPIN = `
import { defineStrategy, holdPosition, integer } from 'tickwright';
export default defineStrategy({
  name: 'spin',
  params: { level: integer({ default: 1 }) },
  create: ({ level }) => ({
    onTrade() {
      while (level === 2);
      return holdPosition('0.01');
    },
  }),
});
`;

/** Throws for most of its parameters, with nearly as many messages. */
const LIMITED = `
import { defineStrategy, holdPosition, integer } from 'tickwright';
export default defineStrategy({
  name: 'limited',
  params: { level: integer({ default: 1 }) },
  create({ level }) {
    if (level > 2) throw new Error(level > 10 ? 'no level is beyond 10' : 'level ' + level + ' is too high');
    return { onTrade: () => holdPosition('0.01') };
  },
});
`;

/** Tells in its error what its position came to, instead of coming to an end. */
const TELLER = `
import { defineStrategy, holdPosition, integer } from 'tickwright';
export default defineStrategy({
  name: 'teller',
  params: { from: integer({ default: 0 }), level: integer({ default: 1 }) },
  create({ from }) {
    let first = '';
    let seen = 0;
    return {
      onTrade(trade) {
        if (trade.time < from) return holdPosition('0.01');
        first ||= trade.price;
        if (++seen === 100) throw new Error('seen ' + first + ' to ' + trade.price);
        return holdPosition('0.01');
      },
    };
  },
});
`;

/** Pays the costs of one round trip. Its stop is one that the market is beyond where its distance is negative. */
const STOPPED = `
import { defineStrategy, flat, holdPosition, number } from 'tickwright';
export default defineStrategy({
  name: 'stopped',
  params: { away: number({ default: 0.01 }) },
  create({ away }) {
    let seen = 0;
    return {
      onTrade({ price }) {
        seen++;
        if (seen === 100) return holdPosition('0.01', { stop: price * (1 - away) });
        return seen === 200 ? flat() : undefined;
      },
    };
  },
});
`;

/** Throws for some of its parameters, as it is made and later. */
const PICKY = `
import { defineStrategy, holdPosition, flat, integer } from 'tickwright';
export default defineStrategy({
  name: 'picky',
  params: { level: integer({ default: 1 }) },
  create({ level }) {
    if (level === 1) throw new Error('level 1 is taken');
    let seen = 0;
    return {
      onTrade() {
        if (++seen === 50 && level === 2) throw new Error('nobody likes 2');
        return seen % 100 === 0 ? (seen % 200 === 0 ? flat() : holdPosition('0.01')) : undefined;
      },
    };
  },
});
`;

it('optimize gives the same result with one worker and with two, keeps the best and counts every trial', async () => {
  const ask = (workers: string) =>
    runJson(
      [
        'optimize',
        'sma-cross',
        ...SPACE,
        '--walk-forward',
        '2',
        '--workers',
        workers,
        '--trials',
        `t${workers}.csv`,
        '--report',
        'best.html',
        '--json',
      ],
      here(),
    );
  const { runsPerSecond, ...one } = await ask('1');
  expect(runsPerSecond).toBeGreaterThan(0);
  const { runsPerSecond: _, ...two } = await ask('2');
  expect(two).toEqual(one);
  expect(one).toMatchObject({ trials: 18, failed: 0, method: 'grid', objective: 'pnl', holdout: null });
  expect(one['walkForward']).toHaveLength(2);

  const csv = await readFile(join(folder, 't1.csv'), 'utf8');
  expect(await readFile(join(folder, 't2.csv'), 'utf8')).toBe(csv);
  const [head, ...lines] = csv.trimEnd().split('\n');
  expect(head).toBe('trial,fast,slow,bars,pnl,sharpe,calmar,max_drawdown,fills,round_trips,run_id,failed');
  const rows = lines.map((line) => line.split(','));
  expect(rows).toHaveLength(18);
  const pnls = rows.map(([, , , , pnl]) => Number(pnl));
  expect(pnls).toEqual(pnls.toSorted((a, b) => b - a));
  expect(await readFile(join(folder, 'best.html'), 'utf8')).toContain('<!doctype html>');

  // The best is a run like any other, and a trial is the backtest of the command line, to its id.
  const best = one['best'] as { params: Record<string, string>; runId: string; pnl: { queue: string } };
  const [number, fast, slow, bars, pnl] = rows[0] as string[];
  expect(best).toMatchObject({ params: { fast, slow, bars }, trial: Number(number), pnl: { queue: pnl } });
  const verified = await runJson(['verify', best.runId, '--json'], here());
  expect(verified).toMatchObject({ identical: true });
  const set = ['--set', `fast=${fast}`, `slow=${slow}`, `bars=${bars}`];
  const alone = await runJson(['backtest', 'sma-cross', ...set, '--fill', 'queue', '--json'], here());
  expect(alone['runId']).toBe(rows[0]?.at(-2));

  // By all fill models it says the same of the one that the trials were by, and more of others: no trial either.
  const byAll = await runJson(['backtest', 'sma-cross', ...set, '--json'], here());
  expect(byAll['runId']).toBe(best.runId);

  // 18 of the search, as many of each fold, and what was chosen on what came next; the backtests were among them.
  const trials = (await readFile(ledger(), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { runId: string });
  expect(trials).toHaveLength(3 * 18 + 2);
  expect(new Set(trials.map(({ runId }) => runId)).size).toBe(3 * 18 + 2);
  expect(one['trialsOnData']).toBe(18);
});

it('docs/search.md has each key of a result, and no other', async () => {
  const page = await readFile(join(ROOT, 'docs', 'search.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const listed = rows.flatMap((row) => (row.split('|')[1] as string).match(/\w+/g) ?? []);
  const result = await runJson(
    ['optimize', 'sma-cross', '--space', 'fast=2,3', ...ONE_THREAD, '--json'],
    here(),
  );
  expect(listed.toSorted()).toEqual(Object.keys(result).toSorted());
});

it('a holdout is seen by no trial, opens once and says so for ever', async () => {
  const ask = (...more: string[]) => runJson(['optimize', 'sma-cross', ...FEW, '--json', ...more], here());
  const sealed = await ask('--holdout', '20%', '--keep-sealed');
  const { from, to } = sealed['holdout'] as { from: number; to: number };
  expect(sealed['holdout']).toEqual({ from, to, state: 'sealed', seenBefore: [] });
  expect(sealed['to'] as number).toBeLessThan(from);

  const refused = await run(['backtest', 'sma-cross'], here());
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(/must not reach into the holdout of USD_BTC_PERP.*backtest --open-holdout/);
  const whole = await run(['optimize', 'sma-cross', ...FEW], here());
  expect(whole.code).toBe(2);
  const cut = await run(['lookahead', 'sma-cross', '--cuts', '1'], here());
  expect(cut).toMatchObject({ code: 2, stdout: '' });
  const before = await run(['backtest', 'sma-cross', '--to', String(from)], here());
  expect(before.code).toBe(0);

  const opened = await ask('--holdout', '20%');
  const { best, holdout } = opened as {
    best: { params: Record<string, string> };
    holdout: { runId: string; state: string; seenBefore: unknown[] };
  };
  expect(opened['ranking']).toEqual(sealed['ranking']);
  expect(holdout).toMatchObject({ from, to, state: 'opened', seenBefore: [] });
  // It is the backtest of the best on just that stretch.
  const { fast, slow, bars } = best.params;
  const set = ['--set', `fast=${fast}`, `slow=${slow}`, `bars=${bars}`];
  const again = await runJson(['backtest', 'sma-cross', ...set, '--from', String(from), '--json'], here());
  expect(again['runId']).toBe(holdout.runId);

  const other = await run(['backtest', 'sma-cross'], here());
  expect(other.code).toBe(0);
  expect(other.stderr).toContain(`was opened by run ${holdout.runId}: it is no longer unseen`);
  const later = await ask('--holdout', '20%', '--set', 'quantity=0.02');
  const { seenBefore } = later['holdout'] as { seenBefore: { runId: string }[] };
  expect(seenBefore.map(({ runId }) => runId)).toContain(holdout.runId);
});

it('backtest --open-holdout opens what was sealed, and writes down which run did', async () => {
  await runJson(['optimize', 'sma-cross', ...FEW, '--holdout', '30', '--keep-sealed', '--json'], here());
  const first = await run(['backtest', 'sma-cross', '--open-holdout', '--json'], here());
  const { runId } = JSON.parse(first.stdout) as { runId: string };
  expect(first.stderr).toMatch(/the holdout of USD_BTC_PERP, .*, is opened: it is one no more/);
  expect(first.stderr).toContain(`was opened by run ${runId}`);
  const second = await run(['backtest', 'sma-cross', '--json'], here());
  expect(second).toMatchObject({ code: 0, stdout: first.stdout });
  expect(second.stderr).not.toContain('holdout');
});

it('backtest --open-holdout opens what was sealed though the run comes to no end: its error tells what it saw', async () => {
  await writeFile(join(folder, 'teller.ts'), TELLER);
  const kept = ['--holdout', '20%', '--keep-sealed', '--json'];
  const sealed = await runJson(['optimize', 'sma-cross', ...FEW, ...kept], here());
  const { from } = sealed['holdout'] as { from: number };
  const inside = ['backtest', 'teller.ts', '--from', String(from)];
  expect(await run(inside, here())).toMatchObject({ code: 2 });
  // What is asked for in vain opens nothing: nobody has looked.
  expect(await run([...inside, '--open-holdout', '--poll', 'nowhere'], here())).toMatchObject({ code: 2 });
  expect(await run(inside, here())).toMatchObject({ code: 2 });

  const told = await run([...inside, '--open-holdout'], here());
  expect(told).toMatchObject({ code: 1, stdout: '' });
  expect(told.stderr).toMatch(/, is opened: it is one no more[^]*seen \S+ to /);
  const after = await run(['backtest', 'sma-cross'], here());
  expect(after.code).toBe(0);
  expect(after.stderr).toContain('was opened by teller, which came to no result: it is no longer unseen');
  const later = await runJson(['optimize', 'sma-cross', ...FEW, '--holdout', '20%', '--json'], here());
  const { seenBefore } = later['holdout'] as { seenBefore: unknown[] };
  expect(seenBefore[0]).toEqual({ runId: null, strategy: 'teller' });
});

it('who looked and came to no result has seen it: a run that failed, one that was killed, a lookahead', async () => {
  await writeFile(join(folder, 'teller.ts'), TELLER);
  await writeFile(join(folder, 'spin.ts'), SPIN);
  expect(await run(['backtest', 'teller.ts'], here())).toMatchObject({ code: 1 });
  expect(await run(['lookahead', 'sma-cross', '--cuts', '1'], here())).toMatchObject({ code: 0 });
  const spinning = start(['backtest', 'spin.ts', '--set', 'level=2'], here());
  const events = join(folder, 'backtest', 'runs', 'holdouts.ndjson');
  await expect.poll(() => readFileSync(events, 'utf8'), { timeout: 60_000 }).toContain('"spin"');
  spinning.child.kill('SIGKILL');
  await spinning.ended;

  const kept = ['optimize', 'sma-cross', ...FEW, '--holdout', '20%', '--keep-sealed'];
  const { stdout } = await run(kept, here());
  expect(stdout).toContain(': sealed, though it was seen before, by 3 looks without a result: it is no');
  const { holdout } = await runJson([...kept, '--json'], here());
  expect(holdout).toMatchObject({
    seenBefore: ['teller', 'sma-cross', 'spin'].map((strategy) => ({ runId: null, strategy })),
  });
});

it('whoever searched a stretch before is told that it is no holdout any more; one that is larger than a seal is sealed anew', async () => {
  const ask = (...more: string[]) => runJson(['optimize', 'sma-cross', ...FEW, '--json', ...more], here());
  const small = await ask('--holdout', '20%', '--keep-sealed');
  const large = await ask('--holdout', '30%', '--keep-sealed');
  const { from } = small['holdout'] as { from: number };
  const { from: earlier, seenBefore } = large['holdout'] as { from: number; seenBefore: unknown[] };
  expect(earlier).toBeLessThan(from);
  // The first search saw what is between the two.
  expect(seenBefore).toEqual([{ runId: null, strategy: 'sma-cross' }]);
  const between = await run(
    ['backtest', 'sma-cross', '--from', String(earlier), '--to', String(from)],
    here(),
  );
  expect(between.code).toBe(2);
  const opened = await run(['backtest', 'sma-cross', '--open-holdout'], here());
  expect(opened.stderr.match(/was opened by run/g)).toHaveLength(2);
  expect((await run(['backtest', 'sma-cross'], here())).code).toBe(0);
});

it('optimize opens no holdout that is kept for another search, unless it is told to', async () => {
  const kept = ['--holdout', '20%', '--keep-sealed', '--json'];
  const sealed = await runJson(['optimize', 'sma-cross', ...FEW, ...kept], here());
  const { from } = sealed['holdout'] as { from: number };
  const larger = ['optimize', 'sma-cross', ...FEW, '--holdout', '30%'];
  const another = [
    'optimize',
    'band-reversion',
    '--space',
    'period=10,20',
    ...ONE_THREAD,
    '--holdout',
    '20%',
  ];
  for (const args of [larger, another]) {
    const refused = await run(args, here());
    expect(refused.stderr).toMatch(/which optimize --keep-sealed sealed for sma-cross: .*\(--open-holdout\)/);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
  }
  // Nobody looks at what it keeps sealed as well.
  expect(await run([...another, '--keep-sealed'], here())).toMatchObject({ code: 0 });
  expect(await run(['backtest', 'sma-cross', '--from', String(from)], here())).toMatchObject({ code: 2 });

  const opened = await run([...another, '--open-holdout'], here());
  expect(opened.code).toBe(0);
  expect(opened.stderr).toMatch(/the holdout of USD_BTC_PERP, .*, is opened: it is one no more/);
  const after = await run(['backtest', 'sma-cross', '--from', String(from)], here());
  expect(after.code).toBe(0);
  expect(after.stderr).toMatch(/was opened by run \w+: it is no longer unseen/);
});

it('optimize --open-holdout searches what was sealed, and it is written down that a search did', async () => {
  const kept = ['--holdout', '20%', '--keep-sealed'];
  await run(['optimize', 'sma-cross', ...FEW, ...kept], here());
  const all = await run(['optimize', 'sma-cross', ...FEW, '--open-holdout'], here());
  expect(all.code).toBe(0);
  expect(all.stderr).toMatch(/the holdout of USD_BTC_PERP, .*, is opened: it is one no more/);
  const after = await run(['backtest', 'sma-cross'], here());
  expect(after.code).toBe(0);
  expect(after.stderr).toContain('was opened by a search of sma-cross: it is no longer unseen');
});

it('a search that fails takes the seal of its holdout back, and says so', async () => {
  await writeFile(join(folder, 'picky.ts'), PICKY);
  const none = await run(
    ['optimize', 'picky.ts', '--space', 'level=1,2', ...ONE_THREAD, '--holdout', '10%'],
    here(),
  );
  expect(none.code).toBe(1);
  expect(none.stderr).toMatch(
    /the holdout of USD_BTC_PERP, .*, is not sealed any more: the search did not look at it/,
  );
  expect(await run(['backtest', 'sma-cross'], here())).toMatchObject({ code: 0 });
  // What is to stay sealed is so though the search comes to nothing.
  const kept = ['--holdout', '10%', '--keep-sealed'];
  expect(
    (await run(['optimize', 'picky.ts', '--space', 'level=1,2', ...ONE_THREAD, ...kept], here())).code,
  ).toBe(1);
  expect((await run(['backtest', 'sma-cross'], here())).code).toBe(2);
});

it('a search whose seal cannot be written down does not say that there is one', async () => {
  await writeFile(join(folder, 'backtest'), 'in the way of the folder\n');
  const ended = await run(['optimize', 'sma-cross', ...FEW, '--holdout', '20%'], here());
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(ended.stderr).toMatch(/^error: /m);
  expect(ended.stderr).not.toContain('sealed');
});

it('a search whose trials cannot be written down says how many, and what it found', async () => {
  await mkdir(join(folder, 'backtest', 'runs'), { recursive: true });
  await symlink(join(folder, 'nowhere', 'trials.ndjson'), ledger());
  const ended = await run(['optimize', 'sma-cross', ...FEW, '--json'], here());
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr.match(/^warning: trials cannot be counted: /gm)).toHaveLength(1);
  expect(ended.stderr).toMatch(/^warning: 2 trials were not counted$/m);
  expect(oneDocument(ended.stdout)).toMatchObject({ trials: 2, trialsOnData: 2 });
});

it('a search whose best throws on the holdout has opened it: the error tells what it saw', async () => {
  await writeFile(join(folder, 'teller.ts'), TELLER);
  const kept = ['--holdout', '20%', '--keep-sealed', '--json'];
  const sealed = await runJson(['optimize', 'sma-cross', ...FEW, ...kept], here());
  const { from } = sealed['holdout'] as { from: number };
  await rm(join(folder, 'backtest'), { recursive: true });

  const searched = ['--space', 'level=1,2', ...ONE_THREAD, '--set', `from=${from}`, '--holdout', '20%'];
  const files = ['--trials', 't.csv', '--report', 'r.html'];
  const told = await run(['optimize', 'teller.ts', ...searched, ...files, '--json'], here());
  expect(told.code).toBe(1);
  // The look is spent, so what the search found must not be lost with it.
  const found = oneDocument(told.stdout);
  expect(found).toMatchObject({
    trials: 2,
    holdout: { state: 'opened', seenBefore: [], failed: expect.stringMatching(/seen \S+ to /) },
  });
  const { runId } = found['best'] as { runId: string };
  expect(existsSync(join(folder, 'backtest', 'runs', runId, 'result.json'))).toBe(true);
  expect((await readFile(join(folder, 't.csv'), 'utf8')).trimEnd().split('\n')).toHaveLength(3);
  expect(existsSync(join(folder, 'r.html'))).toBe(true);
  expect(told.stderr).toMatch(/seen \S+ to /);
  expect(told.stderr).not.toContain('did not look at it');
  expect(told.stderr).toMatch(/the holdout of USD_BTC_PERP, .*, was opened all the same/);
  const after = await run(['backtest', 'sma-cross'], here());
  expect(after.stderr).toContain('was opened by teller, which came to no result');
  const text = await run(['optimize', 'teller.ts', ...searched], here());
  expect(text.stdout).toMatch(/^holdout \S+ to \S+: looked at, .*\n {2}no result: .*seen \S+ to /m);
});

it('a search that cannot write down that it looks at its holdout does not look, and says what it found', async () => {
  const searching = start(
    ['optimize', 'sma-cross', ...SPACE, ...ONE_THREAD, '--holdout', '10%', '--json'],
    here(),
  );
  await expect.poll(isBegun, { timeout: 60_000 }).toBe(true);
  const events = join(folder, 'backtest', 'runs', 'holdouts.ndjson');
  await rm(events);
  await symlink(join(folder, 'nowhere', 'holdouts.ndjson'), events);
  const { code, stdout, stderr } = await searching.ended;
  expect(code).toBe(2);
  expect(oneDocument(stdout)).toMatchObject({
    trials: 18,
    holdout: { state: 'unopened', seenBefore: [], failed: expect.stringContaining(' must be there') },
  });
  expect(stderr).toMatch(/^warning: the holdout of .*, stays sealed, since nothing else can be written/m);
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a search that %s ends takes the seal of its holdout back; what was tried is counted', async (signal, code) => {
  const searching = start([...LONG, '--holdout', '10%'], here());
  await expect.poll(isBegun, { timeout: 60_000 }).toBe(true);
  expect((await run(['backtest', 'sma-cross'], here())).stderr).toContain('let that search come to its end');
  searching.child.kill(signal);
  const ended = await searching.ended;
  expect(ended.stderr).toContain('is not sealed any more: the search did not look at it');
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(isBegun()).toBe(true);
  expect(await run(['backtest', 'sma-cross'], here())).toMatchObject({ code: 0 });
});

it('a search tells what it found, and what its best is on the holdout, though their runs cannot be saved', async () => {
  const words = ['optimize', 'sma-cross', ...FEW, '--holdout', '30%'];
  const { best, holdout, runsPerSecond: _, ...rest } = await runJson([...words, '--json'], here());
  await rm(join(folder, 'backtest'), { recursive: true });
  await mkdir(join(folder, 'backtest', 'runs'), { recursive: true });
  for (const { runId } of [best, holdout] as { readonly runId: string }[]) {
    await writeFile(join(folder, 'backtest', 'runs', runId), 'in the way of the folder\n');
  }
  const { code, stdout, stderr } = await run([...words, '--json'], here());
  expect(stderr.match(/^warning: the run was not saved in /gm)).toHaveLength(2);
  expect(JSON.parse(stdout)).toMatchObject({ best, holdout, ...rest });
  expect(code).toBe(0);
  const text = await run(words, here());
  expect(text.stdout).toMatch(/^run [0-9a-f]{16}$/m);
});

it('a search that others looked past while it was on says that its holdout is no longer unseen', async () => {
  const words = ['optimize', 'sma-cross', ...SPACE, ...ONE_THREAD, '--holdout', '10%', '--json'];
  const searching = start(words, here());
  await expect.poll(isBegun, { timeout: 60_000 }).toBe(true);
  const events = join(folder, 'backtest', 'runs', 'holdouts.ndjson');
  const [sealed = ''] = (await readFile(events, 'utf8')).split('\n');
  const { pair, from, to } = JSON.parse(sealed) as Record<string, unknown>;
  const look = { event: 'opened', pair, from, to, strategy: 'other', runId: '0123456789abcdef' };
  const kept = { event: 'sealed', pair, from, to, strategy: 'third', runId: null };
  await appendFile(events, `${JSON.stringify(look)}\n${JSON.stringify(kept)}\n`);
  const { stdout, stderr } = await searching.ended;
  expect(oneDocument(stdout)['holdout']).toMatchObject({
    state: 'opened',
    seenBefore: [{ strategy: 'other', runId: '0123456789abcdef' }],
  });
  expect(stderr).toMatch(/^the holdout of USD_BTC_PERP, .* is opened: it is one no more/m);
});

it('a search that was killed leaves its seal, and the same search opens it', async () => {
  const searching = start([...LONG, '--holdout', '10%'], here());
  await expect.poll(isBegun, { timeout: 60_000 }).toBe(true);
  searching.child.kill('SIGKILL');
  await searching.ended;
  const refused = await run(['backtest', 'sma-cross'], here());
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('or run it again if it was killed');
  const again = await runJson(['optimize', 'sma-cross', ...FEW, '--holdout', '10%', '--json'], here());
  expect(again['holdout']).toMatchObject({ state: 'opened', seenBefore: [] });
  expect(await run(['backtest', 'sma-cross'], here())).toMatchObject({ code: 0 });
});

it.each([
  ['', []],
  [' whose holdout is sealed', ['--holdout', '10%']],
])('a search%s names a trial that does not return, and Ctrl-C ends it', async (_, more) => {
  await writeFile(join(folder, 'spin.ts'), SPIN);
  const space = ['--space', 'level=1..3', '--method', 'grid', '--workers', '2'];
  const searching = start(['optimize', 'spin.ts', ...space, ...more], here());
  await searching.said('the trial with level=2 has not come to its end for');
  expect(searching.words()).not.toMatch(/the trial with level=[13]/);
  searching.child.kill('SIGINT');
  const { code, stdout } = await searching.ended;
  expect(stdout).toBe('');
  expect(code ?? searching.child.signalCode).toBe(more.length === 0 ? 'SIGINT' : 130);
});

it('a trial that takes its thread with it has failed, and the others stand', async () => {
  await writeFile(join(folder, 'greedy.ts'), GREEDY);
  const result = await runJson(
    ['optimize', 'greedy.ts', '--space', 'level=1..3', ...ONE_THREAD, '--json'],
    here(),
  );
  expect(result).toMatchObject({ trials: 3, failed: 1 });
  const [{ reason }] = result['failures'] as [{ reason: string }];
  expect(reason).toContain('the thread of the trial ended: ');
});

it('a strategy that keeps something from one run to the next is told from one that decides by its inputs', async () => {
  await writeFile(join(folder, 'keeper.ts'), KEEPER);
  const { code, stdout, stderr } = await run(['optimize', 'keeper.ts', '--space', 'every=50..53'], here());
  expect(stderr).toMatch(
    /keeper must decide the same whenever it runs.*it keeps something outside of create/s,
  );
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
});

it('so is one of which the best was the first trial of its thread, before it had anything to keep', async () => {
  await writeFile(join(folder, 'keeper.ts'), KEEPER);
  const { code, stdout, stderr } = await run(
    ['optimize', 'keeper.ts', '--space', 'every=50', ...ONE_THREAD],
    here(),
  );
  expect(stderr).toMatch(
    /keeper must decide the same whenever it runs.*once more.*it keeps something outside of create/s,
  );
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
});

it('trials that fail are counted and named, and the others stand', async () => {
  await writeFile(join(folder, 'picky.ts'), PICKY);
  const some = await runJson(
    ['optimize', 'picky.ts', '--space', 'level=1..4', ...ONE_THREAD, '--json'],
    here(),
  );
  expect(some).toMatchObject({ trials: 4, failed: 2 });
  const reasons = (some['failures'] as { reason: string }[]).map(({ reason }) => reason);
  expect(reasons.join('\n')).toMatch(/picky\.ts:7:.*level 1 is taken[^]*picky\.ts:11:.*nobody likes 2/);
  const none = await run(['optimize', 'picky.ts', '--space', 'level=1,2', ...ONE_THREAD], here());
  expect(none.code).toBe(1);
  expect(none.stderr).toContain('received 2 that all failed: picky.ts:7:28: level 1 is taken');
});

it('names with the best point what became of its orders, so that one that is refused all is not taken for careful', async () => {
  const strategy = join(folder, 'stopped.ts');
  await writeFile(strategy, STOPPED);
  const terms = ['--space', 'away=-0.01,0.5', ...ONE_THREAD];
  const { code, stdout } = await run(['optimize', strategy, ...terms], here());
  expect(code, stdout).toBe(0);
  expect(stdout).toMatch(/best pnl +\+0\.00: away=-0\.01/);
  expect(stdout).toMatch(/orders +0 sent, 0 fills, 1 refused, 0 rejected\n +refused .*stop-hit/);
});

it('the text tells how many trials there were and failed, and of many reasons a handful, the frequent first', async () => {
  await writeFile(join(folder, 'limited.ts'), LIMITED);
  const { code, stdout } = await run(['optimize', 'limited.ts', '--space', 'level=1..12'], here());
  expect(code).toBe(0);
  const [head, ...lines] = stdout.split('\n');
  expect(head).toContain(': 12 trials by grid, 10 failed, ');
  const failures = lines.slice(0, lines.indexOf(''));
  expect(failures).toEqual([
    expect.stringMatching(/^2 trials failed: limited\.ts:.*no level is beyond 10$/),
    ...[3, 4, 5, 6].map((level) =>
      expect.stringMatching(new RegExp(`^1 trial failed: limited\\.ts:.*level ${level} is too high$`)),
    ),
    '4 trials failed for 4 other reasons, all of which --json has',
  ]);
  const [one] = (
    await run(['optimize', 'limited.ts', '--space', 'level=1,2', ...ONE_THREAD], here())
  ).stdout.split('\n');
  expect(one).toContain(': 2 trials by grid, ');
  expect(one).not.toContain('failed');
});

it.each([
  [[], '--space must name what to choose, like fast='],
  [['--space', 'speed=1..5'], 'parameters of sma-cross (fast, slow, quantity, bars), received speed'],
  [['--space', 'fast=1..5', '--set', 'fast=3'], 'received both for fast'],
  [['--space', 'fast=1..500', '--method', 'grid'], 'received 500 and 100'],
  [['--space', 'fast=1..5', '--objective', 'sharpe'], '--objective pnl needs none'],
  [['--space', 'fast=1..5', '--holdout', '100%'], 'above 0% and below 100%'],
  [['--space', 'fast=1..5', '--holdout', '0.2'], '20% is a fifth'],
  [['--space', 'fast=1..5', '--keep-sealed'], '--keep-sealed must be with --holdout'],
  [['--space', 'fast=1..5', 'fast=6..9'], 'received fast twice'],
  [['--space', 'fast'], 'other arguments go before --space'],
  [['--space', 'fast=1..5', '--trials', 'nowhere/t.csv'], '--trials must be in a folder that is there'],
  [['--space', 'fast=1..5', '--trials', 'a', '--report', 'a'], 'must name another file'],
] as readonly [readonly string[], string][])('optimize sma-cross %j is a usage error', async (args, said) => {
  const { code, stdout, stderr } = await run(['optimize', 'sma-cross', ...args], here());
  expect(stderr).toContain(said);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(existsSync(join(folder, 'backtest'))).toBe(false);
});

it('what was tried is counted though the search is broken off', async () => {
  const searching = start(LONG, here());
  await expect.poll(isBegun, { timeout: 60_000 }).toBe(true);
  searching.child.kill('SIGINT');
  await searching.ended;
  const lines = (await readFile(ledger(), 'utf8')).split('\n').filter((line) => line !== '');
  expect(lines.length).toBeGreaterThanOrEqual(1);
  expect(lines.length).toBeLessThan(5_000);
  expect(() => lines.map((line) => JSON.parse(line) as unknown)).not.toThrow();
});

it('a strategy that reads tickers too hears that the recording has none, once, beside what was found', async () => {
  const text = KEEPER.replace('++runs', '0').replace(
    'onTrade() {',
    'onTicker: () => undefined,\n      onTrade() {',
  );
  await writeFile(join(folder, 'keeper.ts'), text);
  const args = ['optimize', 'keeper.ts', '--space', 'every=100,200', '--json', ...ONE_THREAD];
  const { code, stderr } = await run(args, here());
  expect(code, stderr).toBe(0);
  expect(stderr.split('\n').filter((line) => line.startsWith('warning: '))).toEqual([
    expect.stringContaining(
      'keeper has onTicker, and nothing came of it: the recording of USD_BTC_PERP has no',
    ),
  ]);
});
