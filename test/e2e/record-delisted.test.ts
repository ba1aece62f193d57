/** A recorder whose pair the venue tells nothing of any more when it ends. */
import { expect, it } from 'vitest';
import { httpServer } from '../client/local-server.js';
import { start, startVenue, withFolder } from './program.js';

const PAIR = 'USD_BTC_PERP';
const DELISTED = { code: 503, msg: 'malformed: pair must be a pair of this venue', result: {} };

it('says what is not in the recording, and ends with 1', () =>
  withFolder(async (folder) => {
    const { url, running } = await startVenue([]);
    let isListed = true;
    const venue = await httpServer(({ url: path }, response) => {
      const send = (status: number, body: string) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      if (!isListed && path.includes(PAIR)) send(503, JSON.stringify(DELISTED));
      else void fetch(url + path).then(async (answer) => send(answer.status, await answer.text()));
    });
    try {
      // Silence is longer than eleven seconds; the rest is for a machine that is slow to begin.
      const recorder = start(['record', PAIR, '--venue', venue.url, '--out', folder, '--for', '28s']);
      await recorder.said('recording');
      isListed = false;
      const { code, stderr } = await recorder.ended;
      expect(stderr).toMatch(
        /^error: the venue must tell the trades of USD_BTC_PERP, received none for the last \d+s: .*malformed: pair must be a pair of this venue/m,
      );
      expect(code).toBe(1);
    } finally {
      await venue.close();
      running.child.kill('SIGTERM');
      await running.ended;
    }
  }));
