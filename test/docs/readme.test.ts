import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/backtest/backtest.js';
import { startSimulatedVenue } from '../../src/cli/venue/simulated-venue.js';
import { createProgram } from '../../src/cli/program.js';
import { strategyText } from '../../src/cli/scaffold/strategy-text.js';
import { loadStrategy } from '../../src/loader/load-strategy.js';
import { systemClock } from '../../src/platform/clock.js';
import { nodeFiles } from '../../src/platform/files.js';
import { systemTimers } from '../../src/platform/timers.js';
import { SILENT } from '../../src/ports/log.js';
import { openRecording } from '../../src/storage/recording/recording.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { backtestTrades } from '../../src/testing/backtest-trades.js';
import { tradesAt } from '../../src/testing/trades.js';
import { ADMIN_ENDPOINTS } from '../../src/venue/http/admin-endpoints.js';
import type { VenueServer } from '../../src/venue/http/server.js';
import { missingTools } from '../support/tools.js';

const readme = readFileSync('README.md', 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'tickwright-readme-'));
/** Blocks that a shell is to run. */
const shellBlocks = [...readme.matchAll(/```sh\n([\s\S]+?)```/g)].map(([, block]) => block as string);
/** What stands between backticks in the prose. */
const inline = [...readme.replace(/```[\s\S]+?```/g, '').matchAll(/`([^`\n]+)`/g)].map(
  ([, code]) => code as string,
);
const lines = [...shellBlocks.flatMap((block) => block.replace(/\\\n\s*/g, '').split('\n')), ...inline];

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the README's strategy", () => {
  const [, name, code] = /<!-- strategy: (\S+) -->\n```ts\n([\s\S]+?)```/.exec(readme) ?? [];

  it('is what a new strategy begins as, and its test says what that is tested for', async () => {
    expect(strategyText('my-cross')).toBe(code);
    const [, test = ''] = /<!-- test of my-cross.ts -->\n```ts\n([\s\S]+?)```/.exec(readme) ?? [];
    const prices = JSON.parse(/tradesAt\((\[.*?\])\)/.exec(test)?.[1] ?? '') as readonly number[];
    const path = join(folder, name as string);
    writeFileSync(path, code as string);
    const { definition } = await loadStrategy(path, {
      files: nodeFiles,
      cacheDirectory: join(folder, 'cache'),
    });
    const { fills, result } = await backtestTrades(definition, {
      trades: tradesAt(prices),
      params: { fast: 2, slow: 3, bars: '1s' },
    });
    const claimed = [...test.matchAll(/side: '(\w+)', price: (\d+)/g)].map(([, side, price]) => ({
      side,
      price: Number(price),
    }));
    expect(claimed).toHaveLength(2);
    expect(fills).toMatchObject(claimed);
    expect(result.refusals).toBe(0);
  });

  it('runs as it stands, from a folder of its own, over the recording that ships', async () => {
    const path = join(folder, name as string);
    writeFileSync(path, code as string);
    const loaded = await loadStrategy(path, { files: nodeFiles, cacheDirectory: join(folder, 'cache') });
    const recording = await openRecording(nodeFiles, ['backtest/sample']);
    const { result } = await runBacktest({
      strategy: bindStrategy(loaded.definition, { bars: '5s' }),
      strategyHash: loaded.sha256,
      recording,
      capital: '100000',
      engineVersion: 'test',
    });
    expect(result.strategy).toBe('my-cross');
    expect(result.roundTrips).toBeGreaterThanOrEqual(5);
    expect(result.trades).toBe(57_744);
  });
});

/** A command of the program, as far as it can be asked about its own line. */
interface Parser {
  readonly commands: readonly Parser[];
  readonly options: readonly { readonly long?: string | undefined; readonly mandatory: boolean }[];
  readonly registeredArguments: readonly { readonly required: boolean; readonly variadic: boolean }[];
  name(): string;
  exitOverride(): unknown;
  parseOptions(args: string[]): { readonly operands: readonly string[]; readonly unknown: readonly string[] };
}

/** The command that the words begin with, and the rest of them. */
function commandOf(
  words: readonly string[],
): { readonly command: Parser; readonly rest: string[] } | undefined {
  let command: Parser = createProgram(() => undefined);
  let used = 0;
  for (const word of words) {
    const next: Parser | undefined = command.commands.find((each) => each.name() === word);
    if (next === undefined) break;
    command = next;
    used++;
  }
  return used === 0 ? undefined : { command, rest: words.slice(used) };
}

describe('the README', () => {
  const commands = lines.flatMap((line) => /^(?:npx )?tickwright (\w[^#]*)/.exec(line)?.[1]?.trim() ?? []);

  it.each([...new Set(commands)])('tickwright %s is a command that takes these words', (line) => {
    const found = commandOf(line.split(/\s+/));
    if (found === undefined) throw new Error(`there is no command ${line}`);
    const { command, rest } = found;
    command.exitOverride();
    const { operands, unknown } = command.parseOptions(rest);
    expect(unknown).toEqual([]);
    const needed = command.registeredArguments;
    if (!needed.some(({ variadic }) => variadic)) expect(operands.length).toBeLessThanOrEqual(needed.length);
    // A bare name in the prose stands for the command itself.
    if (rest.length === 0) return;
    expect(operands.length).toBeGreaterThanOrEqual(needed.filter(({ required }) => required).length);
    const missing = command.options.filter(({ long, mandatory }) => mandatory && !rest.includes(long ?? ''));
    expect(missing).toEqual([]);
  });

  it('shows most of what the program does', () => {
    expect(new Set(commands.map((line) => line.split(' ')[0])).size).toBeGreaterThanOrEqual(14);
  });

  it('names only flags, scripts, files and doors that exist', () => {
    const known = (command: Parser): string[] => [
      ...command.options.flatMap(({ long }) => long ?? []),
      ...command.commands.flatMap(known),
    ];
    const flags = new Set([...known(createProgram(() => undefined)), '--help']);
    const scripts = Object.keys(
      (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }).scripts,
    );
    for (const code of inline) {
      const flag = /^--[a-z-]+/.exec(code)?.[0];
      if (flag !== undefined) expect([...flags]).toContain(flag);
      if (/^(?:src|strategies|config|test|docs)\/\S*$/.test(code)) expect(existsSync(code), code).toBe(true);
    }
    for (const [, path] of readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
      expect(existsSync(path as string), path).toBe(true);
    }
    for (const [, script] of readme.matchAll(/\bnpm run (\w+)/g)) expect(scripts).toContain(script);
    const doors = inline.filter((code) => /^\/[a-z/]+$/.test(code));
    expect(doors).toEqual(ADMIN_ENDPOINTS.map(({ path }) => path));
  });
});

describe("the README's requests without a client", () => {
  const without = missingTools('sh', 'curl', 'openssl', 'base64');
  const named = without === undefined ? '' : ` (${without})`;
  let server: VenueServer;

  beforeAll(async () => {
    server = await startSimulatedVenue(
      { clock: systemClock, timers: systemTimers, log: SILENT },
      {
        source: { kind: 'synthetic', seed: 1, pairs: ['USD_BTC_PERP'] },
        port: 0,
        adminPort: 0,
        speed: 1,
        accounts: [{ key: 'my-key', secret: 'my-secret' }],
      },
    );
  });

  afterAll(() => server.close());

  /** The block with `curl` that names this path, run as it stands but for the address; an envelope for each request. */
  async function run(path: string) {
    const block = shellBlocks.find((text) => text.includes('curl') && text.includes(path)) as string;
    const script = block
      .replaceAll('http://127.0.0.1:8085', server.url)
      .replaceAll('http://127.0.0.1:8086', server.adminUrl as string)
      .replaceAll('curl -s', 'curl -sw "\\n"');
    const { stdout } = await promisify(execFile)('sh', ['-ec', script], { timeout: 20_000 });
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly code: number; readonly result: unknown });
  }

  it.skipIf(without !== undefined)(
    `place an order that is signed in the shell, and list it${named}`,
    async () => {
      const bid = { side: 'BUY', price_orig: 50_000, qty_orig: 0.01, status: 'ACTIVE' };
      expect(await run('/auth/order')).toMatchObject([
        { code: 200, result: { order: bid } },
        { code: 200, result: [bid] },
      ]);
    },
  );

  it.skipIf(without !== undefined)(`move money and prices at the admin door${named}`, async () => {
    expect(await run('/deposit')).toMatchObject([
      { code: 200, result: { asset: 'BTC', qty: 0.5, status: 'COMPLETED' } },
      { code: 200, result: { pair: 'USD_BTC_PERP', price: 58_000 } },
    ]);
  });
});
