import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sentinel } from '../../../src/cli/commands/sentinel.js';
import { VenueUnavailable } from '../../../src/cli/report-error.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { httpServer } from '../../client/local-server.js';

const REST =
  'limits: { maxPosition: "1", maxOrderQuantity: "1", maxGrossNotional: "1", maxOpenOrders: 1, ' +
  'maxOrdersPerMinute: 1, maxDailyLoss: "1", priceCollar: "0.1" }\n' +
  'strategies: [{ file: a.ts, pair: USD_BTC_PERP }]\n';

let folder: string;
beforeEach(async () => {
  folder = await nodeFiles.temporaryDirectory('tickwright-sentinel-key-');
});
afterEach(() => nodeFiles.remove(folder));

it('a sentinel whose key the venue refuses does not begin to watch', { timeout: 15_000 }, async () => {
  vi.stubEnv('TICKWRIGHT_VENUE__API_KEY', 'old-key');
  vi.stubEnv('TICKWRIGHT_VENUE__API_SECRET', 'old-secret');
  const venue = await httpServer((_, response) => {
    response.writeHead(401).end('{"code":401,"msg":"unknown key","result":{}}');
  });
  const config = join(folder, 'bot.yaml');
  await writeFile(config, `version: 1\nmode: live\nvenue: { url: "${venue.url}" }\n${REST}`);
  try {
    await expect(sentinel({ config })).rejects.toThrow(VenueUnavailable);
  } finally {
    await venue.close();
  }
});
