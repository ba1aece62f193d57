import { describe, expect, it } from 'vitest';
import { checkParity, openWholeCapture } from '../../../src/cli/replay/parity.js';
import { Engine } from '../../../src/engine/engine.js';
import { NO_LIMITS } from '../../../src/gate/limits.js';
import type { EngineEvent } from '../../../src/model/event.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import { systemTimers } from '../../../src/platform/timers.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { SessionCore } from '../../../src/session/session-core.js';
import type { CaptureHeader } from '../../../src/storage/capture/capture.js';
import { CaptureWriter } from '../../../src/storage/capture/capture-writer.js';
import type { CaptureRecord } from '../../../src/storage/capture/capture-reader.js';
import { decisionText } from '../../../src/storage/capture/decision-codec.js';
import { marketSpecOf } from '../../../src/storage/market-spec.js';
import { defineStrategy } from '../../../src/strategy/definition.js';
import { bindStrategy } from '../../../src/strategy/instance.js';
import { flat, holdPosition } from '../../../src/strategy/want.js';
import { BTC } from '../../support/markets.js';

/** Buys at each trade's price: another price is another decision. */
const strategy = bindStrategy(
  defineStrategy({
    name: 'follower',
    create: (_, context) => ({
      onTrade({ price }) {
        context.submit({ side: 'buy', price, quantity: '0.01' });
      },
    }),
  }),
);

const header: CaptureHeader = {
  engine: '0.1.0',
  strategy: { name: 'follower', file: 'follower.ts', sha256: 'ab', params: {} },
  market: marketSpecOf(BTC),
  limits: {},
  options: { mode: 'live', seed: '1', warmUp: true, funds: 1_000_000 },
  firstInput: 1,
};

const permit = (permission: 'all' | 'reduce-only', time: number): EngineEvent => ({
  kind: 'permit',
  time,
  permission,
  state: permission === 'all' ? 'SYNCED' : 'SUSPECT',
  reason: 'order 1 is in doubt',
});

/** A session of some trades, live after the second one and in doubt at the last one, as its capture holds it. */
function recorded(): CaptureRecord[] {
  const events: EngineEvent[] = [60_000, 60_001, 60_002, 60_003, 60_004, 60_005].map((price, index) => ({
    kind: 'trade',
    trade: { id: String(index + 1), time: 1_000 * index, price, quantity: 0.01, isBuyerMaker: false },
    receivedAt: 1_000 * index,
  }));
  events.splice(2, 0, { kind: 'live', time: 1_500 });
  events.splice(6, 0, permit('reduce-only', 4_500));
  events.push(permit('all', 5_500));
  const records: CaptureRecord[] = [{ kind: 'header', header, where: 'c:1', intact: true }];
  const where = () => `c:${records.length + 1}`;
  const core = new SessionCore({
    engine: new Engine({ strategy, market: BTC, seed: '1', warmUp: true }),
    limits: NO_LIMITS,
    warmUp: true,
    funds: 1_000_000,
    sink: {
      send: (command) => {
        if (command.kind === 'place') waiting.push(command.intentId);
      },
    },
    observer: {
      input: (input, event) => records.push({ kind: 'input', input, event, where: where(), intact: true }),
      decision: (input, commands, refusals, superseded) =>
        records.push({
          kind: 'decision',
          input,
          decision: decisionText({ commands, refusals, superseded }),
          where: where(),
          intact: true,
        }),
    },
  });
  const waiting: number[] = [];
  for (const event of events) {
    core.input(event);
    for (const intentId of waiting.splice(0)) {
      core.input({
        kind: 'report',
        report: { kind: 'accepted', intentId, orderId: `o${intentId}`, time: 0 },
      });
    }
  }
  const footer = {
    inputs: core.counts.inputs,
    wantsHash: core.engine.wantsHash(),
    decisionHash: core.decisionHash(),
  };
  records.push({ kind: 'footer', footer, where: where(), intact: true });
  return records;
}

async function* from(records: readonly CaptureRecord[]): AsyncGenerator<CaptureRecord> {
  for (const record of records) yield await Promise.resolve(record);
}

const check = (records: readonly CaptureRecord[]) => checkParity(header, strategy, from(records));

describe('parity of a session that does not poll its position', () => {
  const seen: number[] = [];
  /** Sells what it bought as soon as it is told that it holds something. */
  const seller = bindStrategy(
    defineStrategy({
      name: 'seller',
      create: () => ({
        onTrade: () => holdPosition('0.01'),
        onPosition({ quantity }) {
          seen.push(quantity);
          return quantity > 0 ? flat() : undefined;
        },
      }),
    }),
  );
  /** Bought at the second trade, sold at once. */
  function sold(positions: 'own' | 'told'): CaptureRecord[] {
    const records: CaptureRecord[] = [];
    const where = () => `c:${records.length + 1}`;
    const core = new SessionCore({
      engine: new Engine({ strategy: seller, market: BTC, seed: '1', warmUp: true, positions }),
      limits: NO_LIMITS,
      warmUp: true,
      funds: 1_000_000,
      sink: { send: () => undefined },
      observer: {
        input: (input, event) => records.push({ kind: 'input', input, event, where: where(), intact: true }),
        decision: (input, commands, refusals, superseded) =>
          records.push({
            kind: 'decision',
            input,
            decision: decisionText({ commands, refusals, superseded }),
            where: where(),
            intact: true,
          }),
      },
    });
    const first = { id: '1', time: 1, price: 60_000, quantity: 1, isBuyerMaker: false };
    core.input({ kind: 'live', time: 0 });
    core.input({ kind: 'trade', trade: first, receivedAt: 1 });
    const fill = {
      id: 'f1',
      orderId: 'o1',
      time: 2,
      side: 'buy',
      lots: 10 as Lots,
      ticks: 600_000 as Ticks,
      liquidity: 'taker',
      fee: 0n,
    } as const;
    core.input({ kind: 'report', report: { kind: 'filled', intentId: 1, fill, time: 2 } });
    core.input({ kind: 'mark', time: 3 });
    const footer = {
      inputs: core.counts.inputs,
      wantsHash: core.engine.wantsHash(),
      decisionHash: core.decisionHash(),
    };
    records.push({ kind: 'footer', footer, where: where(), intact: true });
    return records;
  }

  it('holds for one that told its own, and for one from before there was such a thing', async () => {
    const now = { ...header, options: { ...header.options, mode: 'paper', positions: 'own' } };
    const records = { own: sold('own'), told: sold('told') };
    expect(seen).toEqual([0.01]);
    expect(await checkParity(now, seller, from(records.own))).toMatchObject({ identical: true });
    expect(await checkParity(header, seller, from(records.told))).toMatchObject({ identical: true });
    expect(await checkParity(header, seller, from(records.own))).toMatchObject({ identical: false });
  });
});

describe('parity', () => {
  it('computes the same decisions from the same inputs', async () => {
    const records = recorded();
    expect(records.filter(({ kind }) => kind === 'decision').length).toBeGreaterThan(3);
    const footer = records.at(-1);
    const parity = await check(records);
    expect(parity).toMatchObject({ identical: true, firstDifference: undefined });
    expect(footer).toMatchObject({
      footer: { inputs: parity.events, decisionHash: parity.decisionHash, wantsHash: parity.wantsHash },
    });
  });

  it('computes the refusals of a pair in doubt too, and misses the word that permitted less', async () => {
    const records = recorded();
    expect(
      records.filter((record) => record.kind === 'decision' && /not-synced/.test(record.decision)),
    ).toHaveLength(1);
    const at = records.findIndex((record) => record.kind === 'input' && record.event.kind === 'permit');
    const said = records[at];
    if (said?.kind !== 'input' || said.event.kind !== 'permit') throw new Error('expected a permit');
    records[at] = { ...said, event: { ...said.event, permission: 'all' } };
    const { firstDifference } = await check(records);
    expect(firstDifference).toMatchObject({ input: said.input + 1, kind: 'decision' });
  });

  it('names the first event that another price decides otherwise', async () => {
    const records = recorded();
    const at = records.findIndex(
      (record) => record.kind === 'input' && record.event.kind === 'trade' && record.event.trade.id === '4',
    );
    const changed = records[at];
    if (changed?.kind !== 'input' || changed.event.kind !== 'trade') throw new Error('expected trade 4');
    const trade = { ...changed.event.trade, price: 50_000 };
    records[at] = { ...changed, event: { ...changed.event, trade } };
    const { identical, firstDifference } = await check(records);
    expect(identical).toBe(false);
    expect(firstDifference).toMatchObject({ input: changed.input, kind: 'decision' });
    expect(JSON.stringify(firstDifference?.recomputed)).toContain('500000');
    expect(JSON.stringify(firstDifference?.recorded)).not.toContain('500000');
  });

  it('names a line that was changed after it was written, whatever it says', async () => {
    const records = recorded();
    const at = records.findIndex((record) => record.kind === 'input' && record.input === 5);
    records[at] = { ...(records[at] as CaptureRecord), intact: false };
    const parity = await check(records);
    expect(parity.firstDifference).toMatchObject({ input: 5, kind: 'input', where: `c:${at + 1}` });
    expect(parity.events).toBe(4);
  });

  it('misses a decision that was taken out and one that was put in', async () => {
    const records = recorded();
    const at = records.findIndex(({ kind }) => kind === 'decision');
    const decision = records[at];
    if (decision?.kind !== 'decision') throw new Error('expected a decision');
    const without = await check(records.toSpliced(at, 1));
    expect(without.firstDifference).toMatchObject({
      input: decision.input,
      kind: 'decision',
      recorded: 'none',
    });
    const twice = await check(records.toSpliced(at, 0, decision));
    expect(twice.firstDifference).toMatchObject({
      input: decision.input,
      kind: 'decision',
      recomputed: 'none',
    });
  });

  it('compares a session that was killed up to where it ends, and does not take it for a whole one', async () => {
    const records = recorded();
    expect(await check(records)).toMatchObject({ identical: true, end: 'orderly' });
    for (let length = 1; length < records.length; length++) {
      const parity = await check(records.slice(0, length));
      expect(parity).toMatchObject({ identical: true, end: 'killed' });
    }
  });

  describe('of a session whose strategy threw', () => {
    const broken = bindStrategy(
      defineStrategy({
        name: 'broken',
        create: () => ({
          onTrade({ price }) {
            if (price === 60_003) throw new RangeError('it is broken');
          },
        }),
      }),
    );
    const thrown = (error: unknown) => (error instanceof RangeError ? `x.ts:3: ${error.message}` : undefined);
    const inputs = () => recorded().filter(({ kind }) => kind === 'input' || kind === 'header');
    const untilThrown = () => {
      const records = inputs();
      const at = records.findIndex(
        (record) =>
          record.kind === 'input' && record.event.kind === 'trade' && record.event.trade.price === 60_003,
      );
      return records.slice(0, at + 1);
    };
    const ask = (records: readonly CaptureRecord[]) => checkParity(header, broken, from(records), thrown);

    it('throws again, which is how it ended', async () => {
      const records = untilThrown();
      const failed = { identical: true, end: 'failed', failure: 'x.ts:3: it is broken' };
      const parity = await ask(records);
      expect(parity).toMatchObject({ ...failed, events: records.length - 1 });
      const { events, wantsHash, decisionHash } = parity;
      const footer = { inputs: events, wantsHash, decisionHash };
      const asked = [
        permit('reduce-only', 9_000),
        { kind: 'transfers', time: 9_001, change: -500 } as const,
      ].map(
        (event, index): CaptureRecord => ({
          kind: 'input',
          input: events + 1 + index,
          event,
          where: `c:${97 + index}`,
          intact: true,
        }),
      );
      const ended = (more: object) =>
        ask([...records, { kind: 'footer', footer: { ...footer, ...more }, where: 'c:99', intact: true }]);
      expect(await ended({})).toMatchObject(failed);
      expect(await ended({ inputs: 1 })).toMatchObject({ firstDifference: { kind: 'inputs' } });
      expect(await ask([...records, ...asked])).toMatchObject(failed);
    });

    it('names it where the session went on', async () => {
      const records = inputs();
      const firstDifference = { kind: 'error', recomputed: 'x.ts:3: it is broken' };
      expect(await ask(records)).toMatchObject({ identical: false, end: 'stopped', firstDifference });
    });

    it('throws on what is nobody\u2019s but ours', async () => {
      await expect(checkParity(header, broken, from(untilThrown()))).rejects.toThrow('it is broken');
    });
  });

  it.each([
    ['', 'an empty file'],
    ['{"header":{"formatVer', 'the beginning of its first line only'],
  ])('says of a capture without its beginning what there is (%j)', async (text, received) => {
    const folder = await nodeFiles.temporaryDirectory('tickwright-parity-');
    try {
      const path = `${folder}/session.ndjson`;
      await nodeFiles.writeAtomic(path, text);
      const why = `received ${received}: its session ended before it had written down what it was`;
      await expect(openWholeCapture(nodeFiles, path)).rejects.toThrow(why);
    } finally {
      await nodeFiles.remove(folder);
    }
  });

  it('refuses a capture that kept the last part of its session only', async () => {
    const folder = await nodeFiles.temporaryDirectory('tickwright-parity-');
    try {
      const path = `${folder}/session.ndjson`;
      const { firstInput: _, ...ofSession } = header;
      const capture = await CaptureWriter.open(nodeFiles, {
        path,
        header: ofSession,
        timers: systemTimers,
        keepMs: 1_000,
      });
      let input = 0;
      for (let time = 0; time < 5_000; time += 100) capture.input(++input, { kind: 'mark', time });
      await capture.finish({ inputs: input, wantsHash: 'a', decisionHash: 'b' });
      await expect(openWholeCapture(nodeFiles, path)).rejects.toThrow(/must reach back to the beginning/);
    } finally {
      await nodeFiles.remove(folder);
    }
  });

  it.each([
    'wantsHash',
    'decisionHash',
    'inputs',
  ] as const)('holds the recorded %s against its own', async (name) => {
    const records = recorded();
    const end = records.at(-1);
    if (end?.kind !== 'footer') throw new Error('expected the footer');
    const footer = { ...end.footer, [name]: name === 'inputs' ? 1 : 'another' };
    const { firstDifference } = await check([...records.slice(0, -1), { ...end, footer }]);
    const kinds = { wantsHash: 'wants-hash', decisionHash: 'decision-hash', inputs: 'inputs' };
    expect(firstDifference?.kind).toBe(kinds[name]);
  });
});
