import type { Trade } from '../../src/model/trade.js';
import { nodeFiles } from '../../src/platform/files.js';
import { temporaryFolder } from '../support/temp-folder.js';

export const files = nodeFiles;
export const PAIR = 'USD_BTC_PERP';
/** 2024-08-08T23:54:16.322Z */
export const T0 = 1_723_161_256_322;

/** A fresh folder, removed when the test that asks for it is over. */
export const folder = (): Promise<string> => temporaryFolder('storage');

export function trade(id: number | string, time: number, facts: Partial<Trade> = {}): Trade {
  return { id: String(id), time, price: 100, quantity: 1, isBuyerMaker: false, ...facts };
}
