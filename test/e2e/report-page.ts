/** Looks at a report as a reader does: as a file, at a desk and on a phone, by day and by night. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { launch, type Page, violations, watch } from './browser.js';

const DESK = { width: 1_440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** By how much the page is wider than its window. */
const OVERFLOW = 'document.documentElement.scrollWidth - innerWidth';
/** Words that a line would hold and that stand on several, also those that only screen readers see: they would spell them. */
const BROKEN = `(() => {
  const broken = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text; (text = texts.nextNode()); ) {
    for (const { 0: word, index } of text.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (word.length <= 16 && lines.size > 1) broken.push(word);
    }
  }
  return broken;
})()`;

/** What the page at this file does that a good one does not; a request to anything but itself is that, too. */
export async function reportWrongs(
  file: string,
  look: (page: Page, light: 'light' | 'dark') => Promise<void> = async () => {},
): Promise<readonly string[]> {
  const url = pathToFileURL(file).href;
  const browser = await launch();
  const all: string[] = [];
  try {
    for (const [viewport, light] of [
      [DESK, 'light'],
      [PHONE, 'light'],
      [PHONE, 'dark'],
    ] as const) {
      const page = await (await browser.newContext({ viewport, colorScheme: light })).newPage();
      const wrongs = watch(page, (requested) => requested === url);
      await page.goto(url);
      await look(page, light);
      all.push(...wrongs);
    }
  } finally {
    await browser.close();
  }
  return all;
}

/** The report has these sections, each of them to be seen, within the width of a desk and of a phone, readable for all. */
export async function expectReport(cwd: string, report: string, sections: readonly string[]): Promise<void> {
  const wrongs = await reportWrongs(join(cwd, report), async (page, light) => {
    for (const id of sections) {
      expect([id, await page.locator(`section#${id}`).isVisible()]).toEqual([id, true]);
      expect((await page.locator(`section#${id}`).innerText()).length, id).toBeGreaterThan(10);
    }
    expect(await page.evaluate(OVERFLOW)).toBeLessThanOrEqual(0);
    expect(await page.evaluate(BROKEN)).toEqual([]);
    expect(await violations(page, 'body'), light).toEqual([]);
  });
  expect(wrongs).toEqual([]);
}
