import { expect, it } from 'vitest';
import { counted } from '../../src/model/counted.js';

it.each([
  [0, 'fill', undefined, '0 fills'],
  [1, 'fill', undefined, '1 fill'],
  [2, 'round trip', undefined, '2 round trips'],
  [1, 'strategy', 'strategies', '1 strategy'],
  [3, 'strategy', 'strategies', '3 strategies'],
] as const)('%d × %s', (count, one, many, text) => {
  expect(counted(count, one, many)).toBe(text);
});
