import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Trade } from '../../src/model/trade.js';
import { RowHash } from '../../src/storage/certificate/row-hash.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';

const [P1, P2] = [0x9e3779b1n, 0x85ebca77n];
const word = (value: bigint) => BigInt.asUintN(32, value);
const rotated = (value: bigint) => word(value << 13n) | (value >> 19n);

/** As the class says it, without haste: on integers that know no overflow. */
function digestOf(trades: readonly Trade[]): string {
  const lanes = Array.from({ length: 8 }, (_, lane) => word(BigInt(lane + 1) * P1));
  for (const { id, time, price, quantity, isBuyerMaker } of trades) {
    const halves = new DataView(new ArrayBuffer(24));
    for (const [at, value] of [time, price, quantity].entries()) halves.setFloat64(at * 8, value, true);
    const bytes = Buffer.from(id, 'utf8');
    const idWords = Array.from({ length: Math.max(1, Math.ceil(bytes.length / 4)) }, (_, at) => {
      const part = Buffer.alloc(4);
      bytes.copy(part, 0, at * 4, at * 4 + 4);
      return BigInt(part.readUInt32LE());
    });
    const words = [0, 4, 8, 12, 16, 20].map((at) => BigInt(halves.getUint32(at, true)));
    words.push(idWords[0] ?? 0n, BigInt(bytes.length * 2 + (isBuyerMaker ? 1 : 0)));
    const before = [...lanes];
    const mix = (lane: number, value: bigint, beside: bigint) => {
      lanes[lane] = word(rotated(word((lanes[lane] ?? 0n) + P2 * (value ^ beside))) * P1);
    };
    for (const [lane, value] of words.entries()) mix(lane, value, before[(lane + 7) % 8] ?? 0n);
    for (const more of idWords.slice(1)) mix(6, more, lanes[7] ?? 0n);
  }
  const bytes = new DataView(new ArrayBuffer(40));
  for (const [lane, value] of lanes.entries()) bytes.setUint32(lane * 4, Number(value), true);
  bytes.setFloat64(32, trades.length, true);
  return createHash('sha256').update(new Uint8Array(bytes.buffer)).digest('hex');
}

it('is what it says of itself, for ids of any length, also at the end of what is read', () => {
  const trade = fc.record({
    id: fc.string({ maxLength: 13, unit: 'binary' }),
    time: fc.integer({ min: 0, max: 2 ** 45 }),
    price: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
    quantity: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
    isBuyerMaker: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(trade, { maxLength: 9 }), fc.nat({ max: 9 }), (trades, cut) => {
      const rows = TradeColumns.of(trades);
      const at = Math.min(cut, rows.count);
      expect(new RowHash().update(rows, 0, at).update(rows, at).digest()).toBe(digestOf(trades));
      expect(new RowHash().update(rows).digest()).toBe(digestOf(trades));
    }),
  );
});
