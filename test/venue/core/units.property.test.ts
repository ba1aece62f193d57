import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Units } from '../../../src/venue/core/units.js';

describe('a sum of money', () => {
  const part = fc.oneof(fc.integer({ min: -1e9, max: 1e9 }), fc.maxSafeInteger());

  it('is what the bigint sum of its parts is, however large it gets and whenever it is read', () => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 30 }),
        fc.bigInt({ min: 0n, max: 10n ** 20n }),
        (parts, start) => {
          const units = new Units();
          units.value = start;
          let sum = start;
          for (const each of parts) {
            units.add(each);
            sum += BigInt(each);
            expect(units.number).toBe(Number(sum));
            if (units.isExact) expect(BigInt(units.number)).toBe(sum);
          }
          expect(units.value).toBe(sum);
          units.clear();
          expect([units.value, units.isExact]).toEqual([0n, true]);
        },
      ),
    );
  });

  it('is exact in a double again when it is small again', () => {
    const units = new Units();
    units.value = 10n ** 17n;
    expect(units.isExact).toBe(false);
    units.value -= 10n ** 17n - 5n;
    expect([units.isExact, units.number]).toEqual([true, 5]);
  });
});
