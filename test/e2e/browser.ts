/** Debian's chromium through playwright-core, which `.ci/browser-tools.mjs` installs; here are the words of it that we use. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './program.js';

export interface Locator {
  click(): Promise<void>;
  fill(text: string): Promise<void>;
  press(key: string): Promise<void>;
  focus(): Promise<void>;
  count(): Promise<number>;
  innerText(): Promise<string>;
  textContent(): Promise<string | null>;
  isDisabled(): Promise<boolean>;
  isVisible(): Promise<boolean>;
  getAttribute(name: string): Promise<string | null>;
  waitFor(options?: { readonly state?: 'visible' | 'hidden'; readonly timeout?: number }): Promise<void>;
  first(): Locator;
}

export interface Page {
  goto(url: string): Promise<{ status(): number } | null>;
  locator(selector: string): Locator;
  getByRole(role: string, options: { readonly name: string | RegExp; readonly exact?: boolean }): Locator;
  getByLabel(text: string | RegExp): Locator;
  getByText(text: string | RegExp): Locator;
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  evaluate<Value>(source: string): Promise<Value>;
  screenshot(options: { readonly path: string; readonly fullPage?: boolean }): Promise<unknown>;
  title(): Promise<string>;
  url(): string;
  context(): Context;
  on(event: 'console', listener: (message: { type(): string; text(): string }) => void): void;
  on(event: 'pageerror', listener: (error: Error) => void): void;
  on(event: 'request', listener: (request: { url(): string }) => void): void;
}

export interface Context {
  setDefaultTimeout(ms: number): void;
  newPage(): Promise<Page>;
  newCDPSession(page: Page): Promise<{ send(method: string): Promise<Readonly<Record<string, number>>> }>;
  close(): Promise<void>;
}

export interface Browser {
  newContext(options?: {
    readonly viewport?: { readonly width: number; readonly height: number };
    readonly colorScheme?: 'light' | 'dark';
    readonly reducedMotion?: 'reduce' | 'no-preference';
  }): Promise<Context>;
  close(): Promise<void>;
}

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const TOOLS = join(ROOT, '.ci', 'browser', 'node_modules');
const PLAYWRIGHT = join(TOOLS, 'playwright-core', 'index.mjs');
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Why there is no browser to test with; CI must have one. */
export const NO_BROWSER = [CHROMIUM, PLAYWRIGHT]
  .filter((file) => !existsSync(file))
  .map((file) => `${file} is missing`)
  .join(', ');

export const MAY_SKIP = NO_BROWSER !== '' && process.env['CI'] !== 'true';

export async function launch(): Promise<Browser> {
  const { chromium } = (await import(pathToFileURL(PLAYWRIGHT).href)) as {
    chromium: { launch(options: object): Promise<Browser> };
  };
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
}

export interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

let axe: string | undefined;

/** What axe-core finds wrong with these parts of the page as it stands. */
export async function violations(page: Page, parts: string): Promise<readonly string[]> {
  axe ??= readFileSync(join(TOOLS, 'axe-core', 'axe.min.js'), 'utf8');
  await page.evaluate(`if (window.axe === undefined) { ${axe} }`);
  const found = await page.evaluate<readonly Violation[]>(
    `window.axe.run(${JSON.stringify(parts)}, { resultTypes: ["violations"] }).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
  );
}

/** What a page did that a good one does not: words on its console, errors, requests to others. */
export function watch(page: Page, isOwn: (url: string) => boolean): string[] {
  const wrongs: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') wrongs.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => wrongs.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!isOwn(url) && !url.startsWith('data:')) wrongs.push(`foreign request: ${url}`);
  });
  return wrongs;
}
