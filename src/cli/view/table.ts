import Table from 'cli-table3';

export type Align = 'left' | 'right';

/** A table with a header line and no frame. `aligns` must have as many entries as `heads`. */
export function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  aligns: readonly Align[],
): string {
  const grid = new Table({
    head: [...heads],
    colAligns: [...aligns],
    chars: FRAMELESS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
  });
  for (const row of rows) grid.push([...row]);
  return grid
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

const FRAMELESS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
} as const;
