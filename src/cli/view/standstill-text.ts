import { shellWord } from '../../model/shell-word.js';
import type { Standstill } from '../session/standstill.js';

/** How a standstill can be ended, if something outlives the session. */
export interface StandstillEnds {
  /** How a person ends the quarantine; `undefined` if nothing outlives the session. */
  readonly quarantineEnd: string | undefined;
  /** Folder that contains the journal; `undefined` without one. */
  readonly journal: string | undefined;
  /** The HALT file of that folder; `undefined` if there is none. */
  readonly haltFile: string | undefined;
}

/** The message after a session that a person must look, and how to continue. */
export function standstillText(pair: string, standstill: Standstill, ends: StandstillEnds): string {
  const { quarantine, halt } = standstill;
  const said = quarantine === undefined ? `HALTED: ${halt ?? ''}` : `QUARANTINED: ${quarantine}`;
  const hints = quarantine === undefined ? haltHints(standstill, ends) : [ends.quarantineEnd].filter(isThere);
  return [`warning: ${pair} is ${said}`, ...hints.map((hint) => `hint: ${hint}`)].join('\n');
}

function haltHints({ haltEnds }: Standstill, { journal, haltFile }: StandstillEnds): readonly string[] {
  if (journal === undefined) return [];
  const folder = shellWord(journal);
  const ends = haltEnds.map((end) =>
    end === 'room'
      ? `make room on the disk of ${folder}; the next start needs nothing else for it`
      : `tickwright resume --journal ${folder} --reason TEXT ends ${haltEnds.length > 1 ? 'what is latched' : 'it'}`,
  );
  if (haltFile === undefined) return ends;
  const first = `rm ${shellWord(haltFile)} comes first: while it is there, each start halts again and resume fails`;
  return [first, ...ends];
}

const isThere = (hint: string | undefined): hint is string => hint !== undefined;
