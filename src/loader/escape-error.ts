import { UsageError } from '../model/errors.js';
import { pointAt, positionText } from '../model/source-position.js';
import { type FoundEscape, insteadText } from './escapes.js';
import { locateImport, type StrategyErrorPlace, type StrategyOrigin } from './strategy-error.js';

/**
 * The error for all uses of refused sources, in the order of the sources, by `file:line:col` and with the replacement
 * to use.
 */
export function escapeError(
  escapes: readonly FoundEscape[],
  code: string,
  origin: Pick<StrategyOrigin, 'sourceMap' | 'shown'>,
): UsageError {
  const found = escapes
    .map((escape) => ({ ...escape, place: placeOf(escape, code, origin) }))
    .sort(({ place: a }, { place: b }) => order(a, b));
  const texts = found.map(({ name, instead, place }) => {
    const text = `a strategy must ${insteadText(instead)}, received ${name}`;
    if (place === undefined) return text;
    const line = place.lineText === undefined ? '' : `\n${pointAt(place, place.lineText)}`;
    return `${positionText(place)}: ${text}${line}`;
  });
  const first = found[0]?.place;
  return new UsageError('TICKWRIGHT_E_STRATEGY_ESCAPE', [...new Set(texts)].join('\n'), {
    facts: first === undefined ? {} : { file: first.file, line: first.line, column: first.column },
  });
}

function placeOf(
  { at, name, instead }: FoundEscape,
  code: string,
  origin: Pick<StrategyOrigin, 'sourceMap' | 'shown'>,
): StrategyErrorPlace | undefined {
  // Source maps have no mapping for the place of an import, so it is searched in the sources.
  const imported = instead === 'rxjs' ? locateImport(name, origin) : undefined;
  if (imported !== undefined) return imported;
  const before = code.slice(0, at).split('\n');
  const original = origin.sourceMap.original(before.length, (before.at(-1) as string).length + 1);
  return original && { ...original, file: origin.shown(original.source) };
}

function order(a: StrategyErrorPlace | undefined, b: StrategyErrorPlace | undefined): number {
  if (a === undefined || b === undefined) return 0;
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
