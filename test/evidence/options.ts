import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

export const PARTS = [
  'sample',
  'equality',
  'journal',
  'baselines',
  'broken',
  'stops',
  'session',
  'kills',
  'normal',
  'report',
] as const;
export type Part = (typeof PARTS)[number];

export const USAGE = `usage: npm run evidence -- [options]

  --minutes M   for all parts together, about; default 60
  --days D      simulated days of the program in the normal mode, in all, those that the page has included if they count;
                default 2500
  --kills K     of a real process, in all; default 500
  --only PART   ${PARTS.join(', ')}; several with commas
  --threads N   default: one for each core
  --resume      go on with what was begun, or say why that cannot be
  --fresh       forget what was measured before with this code, and begin at seed 1; the page keeps more days where it has
                them of code with the same sample traces
  --check       run the published sample again and compare its traces, nothing else

Results are kept in var/evidence, one line a run, and add up over runs of the same code, however they ended;
docs/evidence.json and docs/evidence.md say what they come to. Where there are no results, a measurement of the normal mode
goes on behind the seeds that docs/evidence.json has of code with the same sample traces. Days that another code ran count too where its sample
traces are the same and the first 50 seeds come out the same; what it broke is run anew. With --only report, of all codes
whose sample traces equal the present ones the one with the most days is told; the page says which code all this is of.
Exit code 0 when nothing was broken, 1 when something was, 2 when it was called in a wrong way.
`;

export interface EvidenceOptions {
  readonly minutes: number;
  readonly days: number;
  readonly kills: number;
  readonly parts: readonly Part[];
  readonly threads: number;
  readonly resume: boolean;
  readonly fresh: boolean;
  readonly check: boolean;
}

/** Or what is wrong with them. */
export function optionsOf(): EvidenceOptions | string {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string', default: '60' },
        days: { type: 'string', default: '2500' },
        kills: { type: 'string', default: '500' },
        only: { type: 'string', default: PARTS.join(',') },
        threads: { type: 'string', default: String(availableParallelism()) },
        resume: { type: 'boolean', default: false },
        fresh: { type: 'boolean', default: false },
        check: { type: 'boolean', default: false },
      },
    });
    const { resume, fresh, check } = values;
    const numbers = {
      minutes: values.minutes,
      days: values.days,
      kills: values.kills,
      threads: values.threads,
    };
    for (const [name, text] of Object.entries(numbers)) {
      if (!(Number(text) > 0)) return `--${name} must be above 0, received ${text}`;
    }
    const parts = values.only.split(',');
    const unknown = parts.find((part) => !isPart(part));
    if (unknown !== undefined) return `--only must be of ${PARTS.join(', ')}, received ${unknown}`;
    if (resume && fresh) return '--resume and --fresh must not stand together';
    return {
      minutes: Number(values.minutes),
      days: Number(values.days),
      kills: Math.ceil(Number(values.kills)),
      parts: parts.filter(isPart),
      threads: Math.ceil(Number(values.threads)),
      resume,
      fresh,
      check,
    };
  } catch (error) {
    return (error as Error).message;
  }
}

function isPart(text: string): text is Part {
  return (PARTS as readonly string[]).includes(text);
}
