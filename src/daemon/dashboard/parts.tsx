/** Small things that everything else is made of. */
import type { ComponentChildren } from 'preact';
import { plain, type Tone } from './text.js';

/** External text, isolated so that it cannot change the direction of the text around it. */
export function Said({ text, most }: { readonly text: unknown; readonly most?: number }) {
  return <bdi>{plain(text, most)}</bdi>;
}

export type BadgeTone = 'good' | 'warning' | 'bad' | 'neutral';

/** A coloured word. The colour only repeats what the word says. */
export function Badge({
  tone,
  children,
}: {
  readonly tone: BadgeTone;
  readonly children: ComponentChildren;
}) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** A name and its value, in a list of such. */
export function Fact({
  name,
  children,
  tone,
  hint,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
  readonly tone?: Tone | BadgeTone | undefined;
  readonly hint?: string | undefined;
}) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd class={tone}>
        {children}
        {hint === undefined ? null : <span class="hint">{hint}</span>}
      </dd>
    </div>
  );
}

export function Section({
  id,
  title,
  children,
  aside,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
  readonly aside?: ComponentChildren;
}) {
  return (
    <section id={id} class="section" aria-labelledby={`${id}-title`} tabIndex={-1}>
      <div class="section-head">
        <h2 id={`${id}-title`}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Names the row for screen readers. */
  readonly isHead?: boolean;
  /** Long text, which may take several lines. */
  readonly isText?: boolean;
}

/** A table that scrolls in its own place, by keyboard too. */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  empty,
}: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
  readonly empty: string;
}) {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    <div class="scroll" role="region" aria-label={label} tabIndex={0}>
      <table>
        <caption class="unseen">{label}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" class={isNumber === true ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)}>
              {columns.map(({ name, cell, isNumber, isHead, isText }) =>
                isHead === true ? (
                  <th key={name} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={name} class={isNumber === true ? 'number' : isText === true ? 'words' : undefined}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
