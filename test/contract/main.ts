/**
 * `npm run contract -- --url http://… [--key K --secret S] [--write]`: the cards that any venue can be asked, one line
 * each. Exit code 0 when none failed, 1 when one did, 2 when it was called in a wrong way.
 */
import { parseArgs } from 'node:util';
import { checkedBaseUrl } from '../../src/client/base-url.js';
import { CARDS } from './cards/index.js';
import { remoteDoor, type RemoteOptions } from './doors/remote.js';
import { runCard } from './run-card.js';

const USAGE = `usage: npm run contract -- --url URL [--key KEY --secret SECRET] [--write]

  --url     base address of the venue; cards that only read public data run
  --key     cards that read the account run too; the address must be https or loopback
  --secret  signs requests; with --key it may stand in TICKWRIGHT_VENUE__API_SECRET instead
  --write   cards that place orders far from the market, and cancel them, run too
`;

process.exitCode = await main();

async function main(): Promise<number> {
  const options = optionsOf();
  if (typeof options === 'string') {
    process.stderr.write(`error: ${options}\n${USAGE}`);
    return 2;
  }
  const door = remoteDoor(options);
  const counts = { pass: 0, fail: 0, skip: 0 };
  for (const card of CARDS) {
    const verdict = await runCard(card, door);
    counts[verdict.kind] += 1;
    const word = verdict.kind === 'skip' ? `skipped (${verdict.reason})` : verdict.kind;
    process.stdout.write(`${card.id} ${word}: ${card.claim}\n`);
    if (verdict.kind === 'fail') process.stdout.write(`${indented(verdict.error)}\n`);
  }
  await door.close();
  process.stdout.write(`${counts.pass} passed, ${counts.fail} failed, ${counts.skip} skipped\n`);
  return counts.fail === 0 ? 0 : 1;
}

/** Or what is wrong with them. */
function optionsOf(): RemoteOptions | string {
  try {
    const { values } = parseArgs({
      options: {
        url: { type: 'string' },
        key: { type: 'string' },
        secret: { type: 'string' },
        write: { type: 'boolean', default: false },
      },
    });
    const { url, write } = values;
    // A key goes nowhere unless it is given for this address, and never in the clear.
    const { key } = values;
    if (key !== undefined) checkedBaseUrl(url ?? '', process.env);
    const secret =
      key === undefined ? undefined : (values.secret ?? process.env['TICKWRIGHT_VENUE__API_SECRET']);
    if (url === undefined || !URL.canParse(url)) return `--url must be an address, received ${url ?? 'none'}`;
    return { url, write, key, secret };
  } catch (error) {
    return (error as Error).message;
  }
}

function indented(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^/gm, '      ');
}
