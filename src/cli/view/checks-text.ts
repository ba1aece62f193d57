import type { Check } from '../doctor/doctor-check.js';
import { printable } from './printable.js';

const MARKS = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' } as const;

/** One line per check, followed by what to do about it unless it is ok. */
export function checksText(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, status, detail, fix }) => {
    const [first = '', ...more] = detail.split('\n').map(printable);
    const [fixFirst = '', ...fixMore] = fix.split('\n').map(printable);
    const pad = ' '.repeat(width + 7);
    return [
      `${MARKS[status]} ${name.padEnd(width)}  ${first}`,
      ...more.map((line) => `${pad}${line}`),
      ...(fix === '' ? [] : [`${pad}fix: ${fixFirst}`, ...fixMore.map((line) => `${pad}  ${line}`)]),
    ];
  });
  const count = (wanted: Check['status']) => checks.filter(({ status }) => status === wanted).length;
  return [...lines, `${count('ok')} ok, ${count('warn')} to look at, ${count('fail')} wrong`].join('\n');
}
