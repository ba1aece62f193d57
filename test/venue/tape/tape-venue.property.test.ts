import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineMarket } from '../../../src/model/market.js';
import { seededRandom } from '../../../src/model/random.js';
import type { Side } from '../../../src/model/side.js';
import { Client } from './client.js';
import { market } from './desk.js';
import {
  type NaiveCancel,
  type NaivePrint,
  type NaiveRequest,
  type NaiveStep,
  naiveTape,
  perLot,
} from './naive.js';

/** A command and the print after which it is sent. */
interface Sent {
  readonly after: number;
  readonly command: Omit<NaiveRequest, 'time' | 'name'> | { readonly kind: 'cancel'; readonly nth: number };
}

interface Latencies {
  readonly placeMs: number;
  readonly cancelMs: number;
}

/** Prints and commands in the order in which the venue meets them; an order's name is its number among the orders. */
function stepsOfScript(
  prints: readonly NaivePrint[],
  sent: readonly Sent[],
  latency: Latencies,
): NaiveStep[] {
  const commands: (NaiveRequest | NaiveCancel)[] = [];
  let orders = 0;
  for (const { after, command } of sent) {
    const sentAt = (prints[after] as NaivePrint).time;
    if (command.kind === 'request') {
      commands.push({ ...command, time: sentAt + latency.placeMs, name: `#${++orders}` });
    } else {
      commands.push({
        kind: 'cancel',
        time: sentAt + latency.cancelMs,
        name: `#${1 + (command.nth % (orders + 1))}`,
      });
    }
  }
  const waiting = commands.map((command, sequence) => ({ command, sequence }));
  waiting.sort((a, b) => a.command.time - b.command.time || a.sequence - b.sequence);
  const steps: NaiveStep[] = [];
  let next = 0;
  for (const print of prints) {
    for (
      ;
      next < waiting.length && (waiting[next] as (typeof waiting)[0]).command.time < print.time;
      next++
    ) {
      steps.push((waiting[next] as (typeof waiting)[0]).command);
    }
    steps.push(print);
  }
  return steps;
}

/** The same script at the venue: commands are sent with the time of the print after which they are sent. */
function playAtVenue(
  client: Client,
  prints: readonly NaivePrint[],
  sent: readonly Sent[],
  { centsPerTick, lotsPerUnit }: { centsPerTick: number; lotsPerUnit: number },
): string[] {
  const log: string[] = [];
  let next = 0;
  let orders = 0;
  prints.forEach(({ time, cents, lots, aggressor }, index) => {
    log.push(...client.print(time, cents / 100, lots / lotsPerUnit, aggressor));
    for (; next < sent.length && (sent[next] as Sent).after === index; next++) {
      const { command } = sent[next] as Sent;
      if (command.kind === 'cancel') {
        const order = 1 + (command.nth % (orders + 1));
        client.cancel(order, String(order), time);
        continue;
      }
      const { side, lots: size, type, timeInForce, postOnly } = command;
      const ticks = type === 'market' ? undefined : command.cents / centsPerTick;
      client.place(++orders, side, size, ticks, time, { timeInForce, postOnly });
    }
  });
  return perLot(log.map((line) => line.replace(/@(\d+)$/, (_, ticks) => `@${Number(ticks) * centsPerTick}`)));
}

const side = fc.constantFrom<Side>('buy', 'sell');
const TICK_CENTS = 50;
const onTick = fc.integer({ min: -4, max: 4 }).map((ticks) => 10_000 + ticks * TICK_CENTS);

const tape = fc
  .array(
    fc.record({
      pause: fc.constantFrom(0, 0, 0, 0, 1, 3, 40, 300, 1_200),
      cents: fc.oneof(
        { weight: 9, arbitrary: onTick },
        { weight: 1, arbitrary: fc.integer({ min: 9_800, max: 10_200 }) },
      ),
      lots: fc.integer({ min: 1, max: 9 }),
      aggressor: side,
    }),
    { minLength: 30, maxLength: 150 },
  )
  .map((moves) => {
    let time = 1_000;
    return moves.map(({ pause, ...print }): NaivePrint => {
      time += pause;
      return { kind: 'print', time, ...print };
    });
  });

const request = fc.record({
  kind: fc.constant('request' as const),
  side,
  type: fc.constantFrom('limit' as const, 'limit' as const, 'market' as const),
  cents: onTick,
  lots: fc.integer({ min: 1, max: 12 }),
  timeInForce: fc.constantFrom('GTC' as const, 'GTC' as const, 'IOC' as const, 'FOK' as const),
  postOnly: fc.boolean(),
});

const scriptFor = (prints: readonly NaivePrint[]) =>
  fc
    .array(
      fc.record({
        after: fc.nat(prints.length - 1),
        command: fc.oneof(
          { weight: 4, arbitrary: request.map((terms) => wellFormed(terms)) },
          { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), nth: fc.nat(20) }) },
        ),
      }),
      { maxLength: 30 },
    )
    .map((sent) => [...sent].sort((a, b) => a.after - b.after));

/** A market order never rests, and a post-only one never takes. */
function wellFormed<T extends Omit<NaiveRequest, 'time' | 'name'>>(terms: T): T {
  if (terms.type === 'market')
    return { ...terms, timeInForce: terms.timeInForce === 'FOK' ? 'FOK' : 'IOC', postOnly: false };
  return terms.postOnly ? { ...terms, timeInForce: 'GTC' } : terms;
}

describe('the tape venue over random tapes and commands', () => {
  it('reports what the naive re-implementation reports, in the same order, at latency 0 and 50', () => {
    const seen = new Map<string, number>();
    const scripts = tape.chain((prints) => fc.tuple(fc.constant(prints), scriptFor(prints)));
    const latencies = fc.constantFrom<Latencies>(
      { placeMs: 0, cancelMs: 0 },
      { placeMs: 50, cancelMs: 50 },
      { placeMs: 50, cancelMs: 3 },
    );
    fc.assert(
      fc.property(scripts, latencies, fc.constantFrom(0, 0, 2), ([prints, sent], latency, slippageTicks) => {
        const client = new Client({ market: market('0.5'), latency, slippageTicks });
        const scale = { centsPerTick: 10, lotsPerUnit: 1 };
        const expected = naiveTape(stepsOfScript(prints, sent, latency), TICK_CENTS, slippageTicks);
        expect(renamed(playAtVenue(client, prints, sent, scale))).toEqual(expected);
        for (const line of expected) count(seen, line.split(' ').slice(2).join(' ').replace(/ 1@.*/, ''));
      }),
      { numRuns: 400 },
    );
    // The comparison means nothing for what the scripts hardly do.
    for (const kind of [
      'accepted',
      'maker',
      'taker',
      'cancel-rejected',
      'canceled: requested',
      'canceled: self-trade',
      'canceled: post-only would trade',
      'canceled: IOC remainder',
      'canceled: FOK cannot fill',
    ]) {
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(20);
    }
  });
});

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Rejections carry texts that are for people; only that they happen is compared. */
function renamed(log: readonly string[]): string[] {
  return log.map((line) => line.replace(/(cancel-rejected).*/, '$1'));
}

const TAPE = fileURLToPath(
  new URL('../../../../shared/data/USD_BTC_PERP-trades-20240808.csv.gz', import.meta.url),
);
const isHere = existsSync(TAPE);

describe('the tape venue over a real tape', () => {
  it.skipIf(!isHere && process.env['CI'] !== 'true')(
    'agrees with the naive re-implementation (skipped where ../shared/data is missing)',
    () => {
      const rows = gunzipSync(readFileSync(TAPE)).toString('utf8').trim().split('\n').slice(1);
      const prints = rows.map((row): NaivePrint => {
        const [, , isBuyerMaker, , quantity, price, time] = row.split(',') as [
          string,
          string,
          string,
          string,
          string,
          string,
          string,
        ];
        return {
          kind: 'print',
          time: Number(time),
          cents: Math.round(Number(price) * 100),
          lots: Math.round(Number(quantity) * 1_000),
          aggressor: isBuyerMaker === 'true' ? 'sell' : 'buy',
        };
      });
      expect(prints).toHaveLength(21_313);
      const perpetual = defineMarket({
        pair: 'USD_BTC_PERP',
        base: 'BTC',
        quote: 'USD',
        price: { min: '0.1', max: 1_000_000, step: '0.1' },
        quantity: { min: '0.001', max: 1_000, step: '0.001' },
        fees: { maker: '0.0002', taker: '0.0006' },
      });
      const random = seededRandom('orders on a real tape');
      const sent: Sent[] = [];
      for (let order = 0; order < 300; order++) {
        const after = random.integer(0, prints.length - 1);
        const near = (prints[after] as NaivePrint).cents + 10 * random.integer(-20, 20);
        const command = wellFormed({
          kind: 'request',
          side: random.next() < 0.5 ? 'buy' : 'sell',
          type: random.next() < 0.2 ? 'market' : 'limit',
          cents: near,
          lots: random.integer(1, 400),
          timeInForce: (['GTC', 'GTC', 'GTC', 'IOC', 'FOK'] as const)[random.integer(0, 4)] ?? 'GTC',
          postOnly: random.next() < 0.3,
        });
        sent.push({ after, command });
        if (order % 3 === 0) sent.push({ after, command: { kind: 'cancel', nth: random.integer(0, 300) } });
      }
      sent.sort((a, b) => a.after - b.after);
      for (const latency of [
        { placeMs: 0, cancelMs: 0 },
        { placeMs: 50, cancelMs: 50 },
      ]) {
        const client = new Client({ market: perpetual, latency, deposit: 100_000_000 });
        const expected = naiveTape(stepsOfScript(prints, sent, latency), 10, 0);
        const log = playAtVenue(client, prints, sent, { centsPerTick: 10, lotsPerUnit: 1_000 });
        expect(renamed(log)).toEqual(expected);
        expect(expected.filter((line) => line.includes(' maker ')).length).toBeGreaterThan(1_000);
        expect(expected.filter((line) => line.includes(' taker ')).length).toBeGreaterThan(1_000);
      }
    },
  );
});
