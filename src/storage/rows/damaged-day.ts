import { UsageError } from '../../model/errors.js';

/** To a writer: a day has more behind what can be read of it than a torn tail, from this byte on. */
export function damagedDay(path: string, at: number): UsageError {
  return new UsageError(
    'TICKWRIGHT_E_RECORDING',
    `${path} must be whole but for its last batch, received damage from byte ${at} on (moved elsewhere, it is in nobody's way: tickwright data check names all such files)`,
    { facts: { path } },
  );
}
