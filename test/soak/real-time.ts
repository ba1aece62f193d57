/** The built daemon on the built venue, both as processes, for as long as it is given: by the clock on the wall. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, startNode } from '../evidence/kills/child.js';
import { bytesBelow, type ProcessSample, sampleProcess, slopeOf, WARM_SHARE } from './process-sample.js';

export interface RealTimeResult {
  readonly minutes: number;
  readonly pollMs: number;
  readonly rssFirstMiB: number;
  readonly rssLastMiB: number;
  readonly rssSlopeMiBPerHour: number;
  readonly sockets: readonly [least: number, most: number];
  readonly files: readonly [least: number, most: number];
  readonly threads: readonly [least: number, most: number];
  readonly journalBytes: number;
  readonly captureBytes: number;
  readonly fills: number;
  readonly orders: number;
  readonly state: string;
  readonly problems: readonly string[];
}

interface Status {
  readonly state: string;
  readonly problems: readonly string[];
  readonly pairs: readonly { readonly counts: { readonly fills: number; readonly orders: number } }[];
}

const MIB = 2 ** 20;
const MAIN = join('dist', 'cli', 'main.js');
const ACCOUNT = { key: 'soak-key', secret: 'soak-secret' };
const KEYS = {
  TICKWRIGHT_VENUE__API_KEY: ACCOUNT.key,
  TICKWRIGHT_VENUE__API_SECRET: ACCOUNT.secret,
};
const PAIRS = ['USD_BTC_PERP', 'USD_ETH_PERP'];

export async function soakRealTime({
  minutes,
  pollMs,
  everyMs,
}: {
  readonly minutes: number;
  readonly pollMs: number;
  readonly everyMs: number;
}): Promise<RealTimeResult> {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-soak-'));
  const state = join(folder, 'state');
  const config = join(folder, 'bot.yaml');
  const root = process.cwd();
  const tickwright = (...args: readonly string[]) =>
    startNode([join(root, MAIN), ...args], { cwd: root, env: KEYS });
  const account = `${ACCOUNT.key}:${ACCOUNT.secret}`;
  const pairs = PAIRS.flatMap((pair) => ['--pair', pair]);
  const venue = tickwright('venue', '--port', '0', '--synthetic', '7', '--account', account, ...pairs);
  const { listening } = JSON.parse(await said(venue, 'listening')) as { readonly listening: string };
  const poll = `${pollMs}ms`;
  const file = join(root, 'strategies', 'market-maker.ts');
  writeFileSync(
    config,
    [
      'version: 1',
      'mode: live',
      `venue: { url: ${listening} }`,
      `state: ${state}`,
      `poll: { trades: ${poll}, position: ${poll}, orders: ${poll}, fills: ${poll}, ticker: ${poll} }`,
      'strategies:',
      ...PAIRS.map((pair) => `  - { file: ${file}, pair: ${pair} }`),
      'limits: { maxPosition: "5", maxOrderQuantity: "1", maxGrossNotional: "500000", maxOpenOrders: 20,',
      '  maxOrdersPerMinute: 1000, maxDailyLoss: "50000", priceCollar: "0.05" }',
    ].join('\n'),
  );
  const daemon = tickwright('start', '--config', config, '--live', '--no-certificate', '--json');
  try {
    const pid = (JSON.parse(await said(daemon, '"pid"')) as { readonly pid: number }).pid;
    const samples: ProcessSample[] = [];
    const until = Date.now() + minutes * 60_000;
    const from = bytesBelow(state, '/journal/');
    while (Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, everyMs));
      samples.push(sampleProcess(pid));
    }
    let status: Status;
    do {
      const asked = tickwright('status', '--config', config, '--json');
      await asked.ended;
      status = JSON.parse(asked.stdout) as Status;
      // On a busy machine it may not answer in time; then its journal is read.
    } while (status.pairs.some(({ counts }) => (counts as unknown) === undefined));
    const warm = samples.slice(Math.floor(samples.length * WARM_SHARE));
    const rss = warm.map(({ rssBytes }) => rssBytes / MIB);
    const span = (pick: (sample: ProcessSample) => number): readonly [number, number] => [
      Math.min(...warm.map(pick)),
      Math.max(...warm.map(pick)),
    ];
    const sum = (pick: (counts: Status['pairs'][number]['counts']) => number) =>
      status.pairs.reduce((total, { counts }) => total + pick(counts), 0);
    return {
      minutes,
      pollMs,
      rssFirstMiB: round(rss[0] ?? 0),
      rssLastMiB: round(rss.at(-1) ?? 0),
      rssSlopeMiBPerHour: round(slopeOf(rss) * (3_600_000 / everyMs)),
      sockets: span(({ sockets }) => sockets),
      files: span(({ files }) => files),
      threads: span(({ threads }) => threads),
      journalBytes: bytesBelow(state, '/journal/') - from,
      captureBytes: bytesBelow(state, '/capture/'),
      fills: sum(({ fills }) => fills),
      orders: sum(({ orders }) => orders),
      state: status.state,
      problems: status.problems,
    };
  } finally {
    daemon.kill('SIGTERM');
    await daemon.ended;
    venue.kill('SIGKILL');
    await venue.ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A line with this text, as soon as the process has said it. */
async function said(child: Child, text: string): Promise<string> {
  for (;;) {
    const line = child.stdout.split('\n').find((each) => each.includes(text));
    if (line !== undefined) return line;
    if (child.hasEnded) throw new Error(`it must say ${text}, received ${child.stdout} ${child.stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
