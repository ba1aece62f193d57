import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formBody } from '../../src/client/form-body.js';

const plain = fc.stringMatching(/^[A-Za-z0-9._*-]{0,12}$/);
const text = fc.oneof(
  { weight: 4, arbitrary: plain },
  fc.constantFrom('&', '=', 'a&b=c', '%26', 'a b', 'é', '+'),
  fc.string(),
);

test('a body is what the form of its fields is, whether or not something in it needs encoding', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 8 }), (fields) => {
      expect(formBody(fields)).toBe(new URLSearchParams(fields).toString());
    }),
    { numRuns: 2_000 },
  );
});
