/** Looks at a report as a reader does. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';

const CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--hide-scrollbars',
  '--enable-logging=stderr',
];

/** There is no browser, and nobody demands one. */
export const isWithoutChromium = !existsSync(CHROMIUM) && process.env['CI'] === undefined;

/** Opens a page of this folder. */
export function chromium(
  cwd: string,
  flags: readonly string[],
  page: string,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const url = pathToFileURL(join(cwd, page)).href;
  const profile = `--user-data-dir=${join(cwd, 'profile')}`;
  return promisify(execFile)(CHROMIUM, [...FLAGS, profile, ...flags, url], { maxBuffer: 1e8 });
}

/** The report has these sections, and opens at the width of a desktop and of a phone without an error. */
export async function expectReport(cwd: string, report: string, sections: readonly string[]): Promise<void> {
  // A phone is narrower than the narrowest window of chromium: a frame is not.
  await writeFile(join(cwd, 'phone.html'), `<iframe src="${report}" width="390" height="3000"></iframe>`);
  for (const [page, size] of [
    [report, '1440,3000'],
    ['phone.html', '500,3000'],
  ] as const) {
    const picture = join(cwd, `${page}.png`);
    const said = await chromium(cwd, [`--window-size=${size}`, `--screenshot=${picture}`], page);
    expect(said.stderr).not.toContain('CONSOLE');
    // An empty page of this size has some 10 kB.
    expect((await stat(picture)).size).toBeGreaterThan(40_000);
  }
  const { stdout } = await chromium(cwd, ['--dump-dom'], report);
  for (const id of sections) expect(stdout).toContain(`<section id="${id}"`);
}
