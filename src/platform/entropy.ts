import { randomBytes } from 'node:crypto';
import type { Entropy } from '../ports/entropy.js';

export const systemEntropy: Entropy = { bytes: (count) => randomBytes(count) };
