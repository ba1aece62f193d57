/** Which strategies of a configuration may go live, by the certificates that lie in its state. */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { certificateOf, certificatePath } from '../../../src/certify/certificate.js';
import { certifyResult, LEAST_SEEDS } from '../../../src/certify/certify.js';
import { SCENARIOS } from '../../../src/certify/scenario.js';
import {
  certifiedThing,
  demandCertificates,
  noteUncertified,
  uncertified,
} from '../../../src/cli/certify/certify.js';
import { openJournalFolder, readableParts } from '../../../src/cli/journal/journal.js';
import { packageVersion } from '../../../src/cli/package.js';
import { readSettings } from '../../../src/cli/settings/settings.js';
import { loadStrategy } from '../../../src/cli/strategy/strategy.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { certifyText, reproduction } from '../../../src/cli/view/certify-view.js';

const machine = thisMachine('error');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickwright-certify-'));
  await cp('strategies/market-maker.ts', join(folder, 'maker.ts'));
  await configure();
});
afterEach(() => rm(folder, { recursive: true }));

async function configure({ quantity = '0.01', maxPosition = '0.05' } = {}): Promise<void> {
  const lines = [
    'version: 1',
    'mode: paper',
    `state: ${join(folder, 'state')}`,
    'strategies:',
    `  - { file: ${join(folder, 'maker.ts')}, pair: USD_BTC_PERP, params: { quantity: "${quantity}" } }`,
    `limits: { maxPosition: "${maxPosition}" }`,
    'control: { dashboard: false }',
  ];
  await writeFile(join(folder, 'bot.yaml'), lines.join('\n'));
}

const settings = () => readSettings(machine, join(folder, 'bot.yaml'));

/** As if it had run: nothing is said about what was found. */
async function certificate(): Promise<void> {
  const { limits, state } = await settings();
  const strategy = await loadStrategy(machine, join(folder, 'maker.ts'), { quantity: '0.01' });
  const engine = await packageVersion(machine.files);
  const thing = certifiedThing(strategy, { pair: 'USD_BTC_PERP', onDoubt: 'cancel', limits, engine });
  const figures = {
    orders: 1,
    fills: 1,
    refusals: {},
    position: 0,
    nakedMs: 0,
    ordersPerMinute: 1,
    requestsPerMinute: 1,
  };
  const runs = SCENARIOS.flatMap(({ name }) =>
    Array.from({ length: LEAST_SEEDS }, (_, index) => ({
      scenario: name,
      seed: index + 1,
      faults: 'none',
      breaches: [],
      figures,
      ranMs: 1,
    })),
  );
  const made = certificateOf(thing, { name: 'market-maker', file: 'maker.ts' }, certifyResult(runs));
  const path = certificatePath(state, made.hash);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(made));
}

describe('a strategy that is to go live', () => {
  it('without a certificate is refused, with the command that makes one', async () => {
    await expect(demandCertificates(machine, await settings(), false)).rejects.toMatchObject({
      code: 'TICKWRIGHT_E_CERTIFICATE',
      message: expect.stringMatching(
        /--live needs a valid certificate for \S+maker\.ts on USD_BTC_PERP: there is none .*tickwright certify \S+maker\.ts --config \S+bot\.yaml --pair USD_BTC_PERP, or start with --no-certificate/,
      ) as string,
    });
  });

  it('with its certificate may', async () => {
    await certificate();
    expect(await uncertified(machine, await settings())).toEqual([]);
  });

  it.each<[string, () => Promise<void>]>([
    ['another parameter', () => configure({ quantity: '0.02' })],
    ['another limit', () => configure({ maxPosition: '0.06' })],
    [
      'another line of code',
      async () => {
        const path = join(folder, 'maker.ts');
        await writeFile(path, (await machine.files.readText(path)).replace('1e-9', '2e-9'));
      },
    ],
  ])('with the certificate of what it was before %s may not', async (_, change) => {
    await certificate();
    await change();
    expect(await uncertified(machine, await settings())).toMatchObject([
      { problem: expect.stringContaining('there is none') as string },
    ]);
  });

  it('without one, and told so, leaves a note in the journal of its pair', async () => {
    const config = await settings();
    await noteUncertified(machine, config, await demandCertificates(machine, config, true));
    const journal = await openJournalFolder(machine.files, join(config.state, 'USD_BTC_PERP', 'journal'));
    const notes: string[] = [];
    for await (const { entries } of readableParts(machine.files, journal)) {
      for (const { record } of entries) if (record.kind === 'note') notes.push(record.text);
    }
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/^started with --no-certificate: \S+maker\.ts on USD_BTC_PERP: there is none/);
  });

  it('leaves a damaged journal to the session of its pair, which is refused on it', async () => {
    const config = await settings();
    const note = async () =>
      noteUncertified(machine, config, await demandCertificates(machine, config, true));
    for (let life = 0; life < 3; life++) await note();
    const journal = await openJournalFolder(machine.files, join(config.state, 'USD_BTC_PERP', 'journal'));
    const path = journal.segments[0]?.path ?? '';
    const text = await machine.files.readText(path);
    await writeFile(path, text.replace('started', 'sTarted'));
    await note();
    expect(await machine.files.readText(path)).toBe(text.replace('started', 'sTarted'));
  });
});

it('a violation is seen again by the command line it was found with, one scenario and one seed', () => {
  const line = { config: 'bot.yaml', set: { quantity: '0.02' }, pair: 'USD_ETH_PERP' };
  expect(reproduction('x.ts', line, { scenario: 'gap', seed: 3 })).toBe(
    'tickwright certify x.ts --config bot.yaml --pair USD_ETH_PERP --set quantity=0.02 --scenario gap --seed 3',
  );
});

it('what placed no order is not called valid, although nothing was violated', () => {
  const facts = {
    title: 'idle',
    pair: 'USD_BTC_PERP',
    hash: 'a'.repeat(64),
    file: '/state/x.json',
    limits: undefined,
    again: () => '',
  };
  const result = certifyResult([]);
  const last = (orders: number) =>
    certifyText({ ...result, orders }, facts)
      .split('\n')
      .at(-1);
  expect(last(1)).toBe(`valid for ${'a'.repeat(12)}… (/state/x.json)`);
  expect(last(0)).toBe('not valid: it placed no order in any scenario: nothing was tested');
});
