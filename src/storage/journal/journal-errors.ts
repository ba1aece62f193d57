import { TickwrightError } from '../../model/errors.js';

/** A place where a journal differs from what was written. */
export interface JournalDamage {
  readonly file: string;
  /** Byte at which the damage begins. */
  readonly offset: number;
  /** Sequence of the record that must stand there. */
  readonly sequence: number;
  /** What must stand there, and what was found. */
  readonly reason: string;
}

const WHAT_TO_DO =
  'records that orders rest on are gone, so no bot may start on it. Copy the folder away; `tickwright journal verify` ' +
  'lists every damaged place and `tickwright journal explain` still tells what can be read. Then restore it from a ' +
  'backup, or look at the orders and positions at the venue and begin with an empty folder';

/** The journal lacks records that were written: exit code 65. */
export class JournalDamaged extends TickwrightError implements JournalDamage {
  readonly file: string;
  readonly offset: number;
  readonly sequence: number;
  readonly reason: string;

  constructor({ file, offset, sequence, reason }: JournalDamage) {
    super(
      'TICKWRIGHT_E_JOURNAL_DAMAGED',
      `${damageText({ file, offset, sequence, reason })}: ${WHAT_TO_DO}`,
      {
        facts: { file, offset, sequence },
      },
    );
    this.file = file;
    this.offset = offset;
    this.sequence = sequence;
    this.reason = reason;
  }
}

export function damageText({ file, offset, sequence, reason }: JournalDamage): string {
  return `${file}, byte ${offset}, record ${sequence}: ${reason}`;
}

/** A record is complete, but this version of the program does not understand it: exit code 65. */
export class JournalUnreadable extends TickwrightError {
  constructor(message: string, cause: unknown) {
    super('TICKWRIGHT_E_JOURNAL_UNREADABLE', message, { cause });
  }
}
