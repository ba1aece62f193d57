import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { receiversText } from '../../../src/cli/commands/alert.js';
import { alertLines } from '../../../src/cli/daemon/alerts.js';
import { readSettings } from '../../../src/cli/settings/settings.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { nodeFiles } from '../../../src/platform/files.js';

let folder: string;
beforeEach(async () => {
  folder = await nodeFiles.temporaryDirectory('tickwright-alert-lines-');
});
afterEach(() => nodeFiles.remove(folder));

async function linesOf(address: string, kinds: readonly string[] = ['slack']) {
  const config = join(folder, 'bot.yaml');
  const alerts = kinds.map((to) => `  - { to: ${to}, urlFile: hook }\n`);
  await writeFile(config, `version: 1\nalerts:\n${alerts.join('')}`);
  await writeFile(join(folder, 'hook'), `${address}\n`);
  await chmod(join(folder, 'hook'), 0o600);
  const machine = thisMachine('error');
  return alertLines(machine, await readSettings(machine, config));
}

it.each([
  'http://hooks.example.com/services/T/B/secret-word',
  'mailto:me@example.com',
  'ftp://127.0.0.1/x',
])("an address that no alert is sent to is told with its file, and not as the venue's: %s", async (address) => {
  const told = await linesOf(address).then(
    () => 'nothing',
    (error: Error) => error.message,
  );
  expect(told).toContain(`the file ${join(folder, 'hook')} of an alert to slack must hold an https address`);
  expect(told).not.toMatch(/venue|secret-word|example/);
});

it('an address of ntfy whose topic cannot be decoded is told with its file, and a % that is written well is taken', async () => {
  await expect(linesOf('https://ntfy.example.com/secret-word-5%', ['ntfy'])).rejects.toThrow(
    `the file ${join(folder, 'hook')} of an alert to ntfy must hold an address that ends with a topic, in which a % is written %25, received something else`,
  );
  // What is no topic may be anything.
  const lines = [
    ...(await linesOf('https://ntfy.example.com/5%25', ['ntfy'])),
    ...(await linesOf('https://hooks.example.com/5%', ['webhook'])),
  ];
  expect(lines.map(({ notifier }) => notifier.name)).toEqual(['ntfy', 'webhook']);
  await Promise.all(lines.map(({ notifier }) => notifier.close()));
});

it.each([
  'https://hooks.example.com/services/T/B/secret-word',
  'http://127.0.0.1:1/hook',
])('one that is safe is taken: %s', async (address) => {
  const lines = await linesOf(address);
  expect(lines.map(({ notifier }) => notifier.name)).toEqual(['slack']);
  await Promise.all(lines.map(({ notifier }) => notifier.close()));
});

it('of several of one kind the name says which, in logs as in status', async () => {
  const lines = await linesOf('http://127.0.0.1:1/hook', ['slack', 'webhook', 'slack']);
  expect(lines.map(({ notifier }) => notifier.name)).toEqual([
    'slack (receiver 1)',
    'webhook',
    'slack (receiver 3)',
  ]);
  await Promise.all(lines.map(({ notifier }) => notifier.close()));
});

it('receivers are told by their names where a test of them is told', () => {
  const text = receiversText([
    { to: 'webhook (receiver 1)', delivered: true },
    { to: 'slack', delivered: true },
    { to: 'webhook (receiver 3)', delivered: false, reason: 'it answers with status 404' },
  ]);
  expect(text.split('\n')).toEqual([
    'webhook (receiver 1): delivered',
    'slack: delivered',
    'webhook (receiver 3): it answers with status 404',
  ]);
});
