import { UsageError } from '../model/errors.js';
import { pointAt, positionText } from '../model/source-position.js';

/** Something wrong at a place of the file; offsets count UTF-16 units from its start. */
export interface ConfigProblem {
  readonly start: number;
  readonly end: number;
  /** `limits.maxPosition`; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
}

const MOST_SHOWN = 20;
const SECRET_LINE =
  /((?:api[_-]?key|api[_-]?secret|secret|password|passphrase|token|private[_-]?key|credentials?)\w*["']?\s*:\s*)(?!\s)(.+)$/i;
const NAMES_A_FILE = /file["']?\s*:\s*$/i;

/** All problems of a file as one error, in their order: `file:line:col path: expected …, received …` and a caret. */
export function configError(file: string, text: string, problems: readonly ConfigProblem[]): UsageError {
  const lines = text.split(/\r?\n/);
  const starts = lineStarts(text);
  const sorted = [...problems].sort((a, b) => a.start - b.start);
  const inOrder = sorted.slice(0, MOST_SHOWN);
  const places = inOrder.map(({ start }) => {
    const line = starts.findLastIndex((lineStart) => lineStart <= start) + 1;
    return { file, line, column: start - (starts[line - 1] as number) + 1 };
  });
  const texts = inOrder.map(({ start, end, path, message }, index) => {
    const place = places[index] as (typeof places)[number];
    const lineText = withoutSecrets(lines[place.line - 1] ?? '');
    const length = Math.max(1, Math.min(end - start, lineText.length - place.column + 1));
    const subject = path === '' ? '' : ` ${path}`;
    return `${positionText(place)}${subject}: ${message}\n${pointAt(place, lineText, length)}`;
  });
  if (sorted.length > MOST_SHOWN) texts.push(`and ${sorted.length - MOST_SHOWN} more`);
  const [first] = places;
  return new UsageError('TICKWRIGHT_E_CONFIG', texts.join('\n'), {
    facts: { file, line: first?.line, column: first?.column, problems: problems.length },
  });
}

/** Hides values of secret-looking keys: messages must not repeat a secret that was put into the file by mistake. */
function withoutSecrets(line: string): string {
  return withoutUser(line).replace(SECRET_LINE, (all: string, key: string) =>
    NAMES_A_FILE.test(key) ? all : `${key}…`,
  );
}

/** Removes user and password from addresses. */
export function withoutUser(text: string): string {
  return text.replace(/\/\/[^/@\s"']+@/g, '//…@');
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
