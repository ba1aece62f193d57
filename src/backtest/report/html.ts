/** Builds HTML. External text must go through `escaped` or one of these functions, so that it cannot become markup. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

export interface Column {
  readonly head: string;
  readonly isText?: boolean;
}

/** A table that scrolls on its own if the page is too narrow. Cells are HTML. */
export function htmlTable(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string {
  const kind = ({ isText }: Column) => (isText === true ? ' class="t"' : '');
  const heads = columns.map((column) => `<th scope="col"${kind(column)}>${escaped(column.head)}</th>`);
  const lines = rows.map(
    (row) => `<tr>${row.map((cell, i) => `<td${kind(columns[i] as Column)}>${cell}</td>`).join('')}</tr>`,
  );
  return (
    `<div class="scroll" tabindex="0" role="group" aria-label="${escaped(caption)}"><table><caption>${escaped(caption)}</caption>` +
    `<thead><tr>${heads.join('')}</tr></thead><tbody>${lines.join('')}</tbody></table></div>`
  );
}

/** A list of names and values, with as many beside each other as fit. Values are HTML. */
export function facts(pairs: readonly (readonly [name: string, value: string])[]): string {
  const items = pairs.map(([name, value]) => `<div><dt>${escaped(name)}</dt><dd>${value}</dd></div>`);
  return `<dl class="facts">${items.join('')}</dl>`;
}

export function section(id: string, title: string, body: string): string {
  return `<section id="${id}" aria-labelledby="${id}-h"><h2 id="${id}-h">${escaped(title)}</h2>${body}</section>`;
}

export function details(summary: string, body: string): string {
  return `<details><summary>${escaped(summary)}</summary>${body}</details>`;
}
