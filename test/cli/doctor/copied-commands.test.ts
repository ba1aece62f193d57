/** Commands that messages tell people to copy: as they are typed into a shell, also where a path has blanks. */
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { start } from '../../../src/cli/commands/start.js';
import { demandCertificates } from '../../../src/cli/certify/certify.js';
import { strategyChecks } from '../../../src/cli/doctor/doctor-config.js';
import { stateChecks } from '../../../src/cli/doctor/doctor-state.js';
import { readSettings } from '../../../src/cli/settings/settings.js';
import { sameVenue } from '../../../src/cli/order/write-report.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { reproduction } from '../../../src/cli/view/certify-view.js';
import { recordedText } from '../../../src/cli/view/recorded-text.js';
import { shellWord } from '../../../src/model/shell-word.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { systemProcesses } from '../../../src/platform/processes.js';
import { lockJournal } from '../../../src/storage/journal/journal-lock.js';
import { folder } from '../../storage/support.js';

const machine = thisMachine('error');
let bots: string;
let config: string;
let strategy: string;
let state: string;

beforeEach(async () => {
  bots = join(await folder(), "my bots' folder");
  await mkdir(bots);
  config = join(bots, 'live.yaml');
  strategy = join(bots, 'maker.ts');
  state = join(bots, 'var');
  await cp('strategies/market-maker.ts', strategy);
  await configure('');
});

const configure = (params: string) =>
  writeFile(
    config,
    `version: 1\nstate: var\nstrategies:\n  - { file: maker.ts, pair: USD_BTC_PERP${params} }\n`,
  );
const settings = () => readSettings(machine, config);
const quoted = (path: string) => `'${path.replace("bots' folder", String.raw`bots'\'' folder`)}'`;

it.each([
  ['/home/me/bot.yaml', '/home/me/bot.yaml'],
  ['fast=3', 'fast=3'],
  ['=ls', "'=ls'"],
  ['', "''"],
  ['my bots', "'my bots'"],
  ["it's", String.raw`'it'\''s'`],
  ['$HOME', "'$HOME'"],
])('%j is typed as %s', (text, word) => {
  expect(shellWord(text)).toBe(word);
});

it('start --live and doctor --live name one command for the certificate, with configuration and pair', async () => {
  const certify = `tickwright certify ${quoted(strategy)} --config ${quoted(config)} --pair USD_BTC_PERP`;
  await expect(demandCertificates(machine, await settings(), false)).rejects.toThrow(
    `make one by ${certify}, or start with --no-certificate`,
  );
  const checks = await strategyChecks(machine, await settings(), true);
  expect(checks.find(({ name }) => name === 'certificate')).toMatchObject({ status: 'fail', fix: certify });
});

it('doctor names files that can be copied', async () => {
  const fixes = async () => (await strategyChecks(machine, await settings(), true)).map(({ fix }) => fix);
  await chmod(strategy, 0o666);
  expect(await fixes()).toContain(`chmod go-w ${quoted(strategy)}`);
  await configure(', params: { sise: 3 }');
  expect(await fixes()).toContain(`tickwright help ${quoted(strategy)} shows its parameters`);
});

it('doctor names a state that can be copied', async () => {
  const journal = join(state, 'USD_BTC_PERP', 'journal');
  await mkdir(journal, { recursive: true });
  await chmod(state, 0o750);
  await writeFile(join(state, 'HALT'), '');
  await writeFile(join(journal, 'segment-000000000005.journal'), 'garbage\ngarbage\n');
  const fixes = (await stateChecks(machine, await settings(), { live: true })).map(({ fix }) => fix);
  expect(fixes).toContain(`chmod 700 ${quoted(state)}`);
  expect(fixes).toContain(`rm ${quoted(join(state, 'HALT'))}, then tickwright resume`);
  expect(fixes.join('\n')).toContain(`tickwright journal verify ${quoted(journal)} says more`);
});

it('a second daemon is told how to look at the first', async () => {
  const said: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text: unknown, done?: unknown) => {
    said.push(String(text));
    if (typeof done === 'function') done();
    return true;
  });
  await mkdir(state);
  const lock = await lockJournal(nodeFiles, systemProcesses, join(state, 'lock'));
  try {
    expect(await start({ config })).toBe(75);
    expect(said.join('')).toContain(`(tickwright status --config ${quoted(config)} shows it)`);
  } finally {
    await lock.release();
    write.mockRestore();
  }
});

it('a session says how it is computed again', () => {
  const path = join(state, 'a session');
  const partly = { isAll: false, keepMs: 1 };
  expect(recordedText(path, { ...partly, isAll: true })).toBe(
    `All of it is recorded in ${path}; tickwright replay ${quoted(path)} executes it again.`,
  );
  expect(recordedText(path, { ...partly, keepMs: undefined })).toBe(
    `Its inputs are in ${path}; tickwright parity ${quoted(path)} computes its decisions again.`,
  );
  expect(recordedText(path, partly)).toContain(
    ' (the newest ten minutes at most: --for keeps all); tickwright parity',
  );
});

it('a violation is seen again, and a write looked at', () => {
  const line = { config: 'my bots/bot.yaml', set: { note: 'a b', fast: '3' } };
  expect(reproduction('my bots/x.ts', line, { scenario: 'gap', seed: 3 })).toBe(
    "tickwright certify 'my bots/x.ts' --config 'my bots/bot.yaml' --set 'note=a b' --set fast=3 --scenario gap --seed 3",
  );
  expect(sameVenue({ profile: './my venue.yaml', config: 'my bots/bot.yaml' })).toBe(
    " --profile './my venue.yaml' --config 'my bots/bot.yaml'",
  );
});
