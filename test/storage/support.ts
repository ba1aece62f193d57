import { afterAll } from 'vitest';
import type { Trade } from '../../src/model/trade.js';
import { nodeFiles } from '../../src/platform/files.js';

export const files = nodeFiles;
export const PAIR = 'USD_BTC_PERP';
/** 2024-08-08T23:54:16.322Z */
export const T0 = 1_723_161_256_322;

const made: string[] = [];

/** A fresh folder, removed when the tests of the file are done. */
export async function folder(): Promise<string> {
  const path = await files.temporaryDirectory('tickwright-storage-');
  made.push(path);
  return path;
}

afterAll(() => Promise.all(made.map((path) => files.remove(path))));

export function trade(id: number | string, time: number, facts: Partial<Trade> = {}): Trade {
  return { id: String(id), time, price: 100, quantity: 1, isBuyerMaker: false, ...facts };
}
