/** docs/evidence.md, from docs/evidence.json alone. */
import { MIXED_CLIMATE } from '../../src/simulation/weather.js';
import type {
  Evidence,
  KillEvidence,
  SampleEvidence,
  SimulationFigures,
  SimulationName,
} from './evidence.js';
import { rowsOf, together } from './parts/before.js';
import { sampleDigest } from './parts/sameness.js';
import { isOurs } from './parts/simulation.js';

const ASSUMPTIONS = `| | Assumption | If it is false |
|---|---|---|
| A1 | One request makes at most one order: the venue makes no more, and nothing between us sends a request again. | Nobody can prevent the second order. Where the venue echoes tags it is found, bound to its intent and canceled; where it does not, it is one of nobody here, counted as foreign, and its first fill quarantines the pair; see *A1 broken*. |
| A2 | A request that was given up is executed within T_late or never (60 s; with a venue that honours \`recv_window\`: that window and a second). | An order may come after the verdict that there is none. Its quantity stays reserved for ten minutes, and it is watched for, canceled and booked; see *A2 broken*. |
| A3 | What was executed is shown by reads within T_vis (5 s; our own venue at once). | A verdict "not placed" may be wrong: as with A2 broken. |
| A4 | Lists are whole up to their limit, or say so by being full. | Absence cannot be proven; a full list is never taken for a whole one. |
| A5 | Ids of orders and fills are unique and never used again. | A fill may be taken for one that is booked: position and fills do not agree, and the pair is quarantined. |
| A6 | Nobody else trades on this account and pair. | Their orders are never touched; position and fills do not agree, and the pair is quarantined. |`;

export function evidencePage(evidence: Evidence): string {
  const { date, commit, isDirty, machine } = evidence;
  return [
    '<!-- Written by npm run evidence, from docs/evidence.json. -->',
    '# Evidence: 0 orders sent twice by us, as long as A1–A6 hold',
    headline(evidence),
    `Measured on ${date}, a machine of ${machine.cores} cores with Node ${machine.node}, commit \`${commit.slice(0, 12)}\`` +
      `${isDirty ? ' with changes that were not committed' : ''}. What another commit was measured with says so. ` +
      'Repeat it with `npm run evidence`; a single seed of the first row with `npm run sim -- --climate mixed --seed N --trace`. ' +
      'What a daemon keeps of memory, files and sockets over thirty days is in [soak.md](soak.md).',
    '## What it rests on',
    ASSUMPTIONS,
    '## Goal and measured',
    goals(evidence),
    ...simulationParts(evidence),
    ...killParts(evidence.kills),
    ...sessionParts(evidence),
    ...journalParts(evidence),
    ...mutantParts(evidence),
    '## Weak points',
    weaknesses(evidence),
  ]
    .join('\n\n')
    .concat('\n');
}

function headline({ simulation, kills, sample }: Evidence): string {
  const rows = rowsOf(simulation);
  const normal = together(rows);
  const parts: string[] = [];
  if (normal !== undefined) {
    parts.push(
      `**${whole(normal.days)} simulated days** of the whole program under ${whole(normal.faults)} faults, ` +
        `${whole(normal.doubts)} orders in doubt and ${whole(normal.crashes)} deaths of its process: ` +
        `**${normal.duplicates} duplicate orders, ${normal.orphans} unattributed orders, ` +
        `${normal.violations.length} broken promises**, worst position ${normal.worst.toFixed(2)} of the limit.`,
    );
    const others = rows.filter((row) => doesSomethingElse(row, sample));
    if (others.length > 0) {
      parts.push(
        `**${others.length === rows.length ? 'They' : 'Some'} are of earlier code**, of commit ${commitsText(others.flatMap(({ commits }) => commits))}: the present one does something else ` +
          'in the runs that CI compares, and its own days are still to be simulated.',
      );
    }
  }
  if (kills !== undefined) {
    const { counts } = kills;
    parts.push(
      `**${whole(counts.kills)} times kill -9** of the packaged program over real sockets and files: ` +
        `**${counts.lostRecords} lost records, ${counts.duplicates} duplicate orders**.`,
    );
  }
  parts.push('All of it under the assumptions A1–A6; A1 and A6 are not in our power.');
  return parts.join('\n\n');
}

type Row = readonly [what: string, goal: string, measured: string, met: boolean | undefined];

function goals({ simulation, equality, journal, kills, mutants, sample, session }: Evidence): string {
  const normal = together(rowsOf(simulation));
  const stops = simulation?.runs.stops;
  const counts = kills?.counts;
  const torture = journal?.counts;
  const killed = mutants?.mutants.filter(
    ({ seed, equivalent }) => seed !== undefined || equivalent !== undefined,
  );
  const rows: readonly Row[] = [
    least('Simulated daemon-days', 2_500, normal?.days),
    least('Faults', 1_000_000, normal?.faults),
    least('Orders in doubt', 10_000, normal?.doubts),
    least('Deaths of the process', 10_000, normal?.crashes),
    zero('Duplicate orders (A1–A5 hold)', normal?.duplicates),
    zero('Orders that were never attributed', normal?.orphans),
    zero('SYNCED that the venue does not bear out', normal?.unexplainedSynced),
    zero('Runs in which the position went beyond its limit', normal?.beyondLimit),
    zero('Broken promises, I1–I11', normal?.violations.length),
    zero(
      'All of these in the runs with stops',
      stops &&
        stops.duplicates +
          stops.orphans +
          stops.unexplainedSynced +
          stops.beyondLimit +
          stops.violations.length,
    ),
    zero('Key or secret found in logs and files', normal?.secrets),
    [
      'Same seed, same trace',
      '20 of 20',
      equality ? `${equality.equal} of ${equality.seeds}` : '–',
      equality && equality.equal === equality.seeds,
    ],
    [
      'Traces that CI compares',
      '≥ 3',
      sample ? String(sample.runs.length) : '–',
      sample && sample.runs.length >= 3,
    ],
    [
      'A recorded session with faults, executed again',
      '≥ 10 minutes, the same hash',
      session
        ? `${whole(session.counts.seconds / 60)} minutes, ${session.counts.identical ? 'the same' : 'another'}`
        : '–',
      session && session.counts.seconds >= 600 && session.counts.identical,
    ],
    [
      'One changed input of it',
      'named exactly',
      session
        ? `event ${whole(session.counts.changedTurn)} ${session.counts.named ? 'named' : 'not named'}`
        : '–',
      session?.counts.named,
    ],
    least('kill -9 of the real process', 500, counts?.kills),
    zero('Records lost by them', counts?.lostRecords),
    zero(
      'Duplicate or unknown orders after them',
      counts && counts.duplicates + counts.unknown + counts.unprepared + counts.phantom + counts.misjudged,
    ),
    zero(`Starts without SYNCED within ${kills?.figures.syncedBoundMs ?? '…'} ms`, counts?.notSynced),
    zero('Orderly stops with wrong books', counts?.wrongEnds),
    least('Journal: places cut', 65_536, torture?.cuts),
    least('Journal: bits flipped', 100_000, torture?.flips),
    zero(
      'Journal: false, lost or unnoticed',
      torture && torture.falseRecords + torture.lostRecords + torture.unnoticed + torture.falseAlarms,
    ),
    [
      'Journal on a full disk',
      'keeps all, stops orders',
      torture?.fullDisk ?? '–',
      torture && torture.fullDisk === 'passed',
    ],
    [
      'Mutants killed or shown equivalent',
      'all, ≥ 20',
      mutants ? `${killed?.length} of ${mutants.mutants.length}` : '–',
      mutants && mutants.mutants.length >= 20 && killed?.length === mutants.mutants.length,
    ],
  ];
  return table(
    ['', 'Goal', 'Measured', 'Met'],
    rows.map(([what, goal, measured, met]) => [
      what,
      goal,
      measured,
      met === undefined ? '–' : met ? 'yes' : '**no**',
    ]),
  );
}

function least(what: string, goal: number, measured: number | undefined): Row {
  return [
    what,
    `≥ ${whole(goal)}`,
    measured === undefined ? '–' : whole(measured),
    measured && measured >= goal ? true : measured === undefined ? undefined : false,
  ];
}

function zero(what: string, measured: number | undefined): Row {
  return [
    what,
    '0',
    measured === undefined ? '–' : whole(measured),
    measured === undefined ? undefined : measured === 0,
  ];
}

function simulationParts({ simulation, sample }: Evidence): readonly string[] {
  if (simulation === undefined) return [];
  const { runs } = simulation;
  const columns: readonly (readonly [string, (run: SimulationFigures) => string])[] = [
    ['Days', ({ days }) => whole(days)],
    ['Faults', ({ faults }) => whole(faults)],
    ['Deaths', ({ crashes }) => whole(crashes)],
    ['Intents', ({ intents }) => whole(intents)],
    ['Orders', ({ orders }) => whole(orders)],
    ['In doubt', ({ doubts }) => whole(doubts)],
    ['Sent twice by us', ({ duplicates }) => whole(duplicates)],
    ['Doubled by others', ({ duplicatesByOthers }) => whole(duplicatesByOthers)],
    ['Late', ({ late }) => whole(late)],
    ['Unattributed', ({ orphans }) => whole(orphans)],
    ['False SYNCED', ({ unexplainedSynced }) => whole(unexplainedSynced)],
    ['Worst position / limit', ({ worst }) => worst.toFixed(2)],
    [
      'Broken promises',
      ({ violations, subject }) => (isOurs(subject) ? whole(violations.length) : 'none made'),
    ],
  ];
  const names: readonly (readonly [keyof typeof runs, string])[] = [
    ['normal', 'Tickwright, A1–A6 hold'],
    ['stops', 'Tickwright with stops, A1–A6 hold'],
    ['A1-broken', 'Tickwright, A1 broken'],
    ['A2-broken', 'Tickwright, A2 broken'],
    ['blind-retry', 'Blind retry, up to three times'],
    ['timeout-failed', 'Timeout = failed, decide again'],
    ['look-and-resend', 'Look once, send again'],
  ];
  const normals = rowsOf(simulation);
  const measured = names.flatMap(([name, title]) => {
    if (name === 'normal' && normals.length > 1) {
      return normals.map((row) => [`${title}, ${seedsText(row)}`, row] as const);
    }
    const run = runs[name];
    return run === undefined ? [] : [[title, run] as const];
  });
  const seeds = measured.map(
    ([title, run]) =>
      `* ${title.endsWith(seedsText(run)) ? title : `${title}: ${seedsText(run)}`}, ${run.hours} h each, trace \`${run.traceHash.slice(0, 16)}\`; ${furtherText(run)}${codeText(run, sample)}`,
  );
  const normal = together(normals);
  return [
    '## Simulation',
    'The whole program — strategy, engine, gate, execution, journal, polling, client — against the venue core on a virtual clock. ' +
      'Each seed draws which faults exist and how often they come, when the process dies and where, what its disk does, ' +
      'who else trades; then faults end, and after a calm everything must agree. The three baselines are programs that do with an unanswered order what is common, ' +
      'under the faults of the same seeds (the disk and the crashes spare them, which favours them): a checker that sees nothing there sees nothing here.',
    table(
      ['', ...columns.map(([title]) => title)],
      measured.map(([title, run]) => [title, ...columns.map(([, of]) => of(run))]),
    ),
    'With stops, each position that is wanted comes with a stop that waits at the venue, is moved, and fires. With A1 broken, something between us and the venue sends 5 % of the order requests twice. With A2 broken, 5 % of them are executed up to twice T_late later.',
    seeds.join('\n'),
    MIXED_CLIMATE,
    ...(normal === undefined
      ? []
      : [
          `What became of the orders in doubt: ${listText(normal.judged)}. At the end of its ${whole(normal.runs)} runs the pair was ${listText(normal.endStates)}. SYNCED for ${(100 * normal.synced).toFixed(1)} % of the time, faults and deaths included. The process died at ${normal.crashPoints} different named places.`,
          ...normals.flatMap((row) => verdictParts(row, normals.length > 1)),
          'How often each kind of fault met each state of the pair; *down*: no process was there.',
          matrix(normal.met),
          ...(normal.violations.length === 0
            ? []
            : [`**Broken promises:** ${normal.violations.join(', ')}.`]),
        ]),
  ];
}

function killParts(kills: KillEvidence | undefined): readonly string[] {
  if (kills === undefined) return [];
  const { counts, figures, syncedMs, problems, source, commits } = kills;
  return [
    '## kill -9 of the real process',
    `\`tickwright run --live\` against \`tickwright venue\` with lost requests and answers, 503 before and after execution, resets, late executions, slow and old reads; T_poll ${figures.pollMs} ms, T_vis ${figures.visibilityMs} ms, recv_window ${figures.recvWindowMs} ms, so that an hour has many lives. It is killed at random moments: ${whole(counts.killsBeforeSynced)} of ${whole(counts.kills)} times while it started, ${whole(counts.killsUnderWay)} times with an order under way. A kill of the process loses no byte that was handed to the kernel; what a power loss takes is the simulation's part.${refusedText(counts.refusedStarts)}`,
    `${whole(counts.records)} records, ${whole(counts.intents)} intents, ${whole(counts.orders)} orders, ${whole(counts.faults)} faults, ${whole(counts.doubts)} answers that proved nothing, ${whole(counts.adopted)} orders adopted by evidence, ${whole(counts.notPlaced)} judged not placed. Lost records ${counts.lostRecords}, duplicates ${counts.duplicates}, orders without a record ${counts.unprepared}, not bound when SYNCED ${counts.unknown}, bound and not there ${counts.phantom}, judged absent and there ${counts.misjudged}. ${whole(counts.orderlyStops)} orderly stops between them, of which ${whole(counts.unprovenStops ?? 0)} came while an order was in doubt or its cancel not confirmed, ended with the exit code for a stop that is not proven and its name: ${unprovenText(kills)} After the others position, fills and orders were the venue's. Stops after which something was wrong: ${counts.wrongEnds}.`,
    `From the start of the process to SYNCED: p50 ${syncedMs.p50} ms, p99 ${syncedMs.p99} ms, longest ${syncedMs.max} ms of ${whole(syncedMs.count)}; the bound is ${figures.syncedBoundMs} ms.`,
    `Seeds ${rangeText(kills.seeds.map((seed) => [seed, seed]))}; code \`${source}\`, of commit ${commitsText(commits)}.`,
    ...(problems.length === 0 ? [] : [`**Problems:**\n\n${problems.map((each) => `* ${each}`).join('\n')}`]),
  ];
}

function refusedText(starts = 0): string {
  if (starts === 0) return '';
  return ` ${whole(starts)} of its starts ended by themselves, before they did anything, since the venue refused one read twice; each was followed by another one.`;
}

/** What was looked at behind a stop that was not proven: that has changed. */
function unprovenText({ counts, seeds }: KillEvidence): string {
  return counts.provenEnds === undefined
    ? 'their fills and position were not looked at then, and where such a stop was the last one of its seed no next start proved it either.'
    : "after those, too, apart from what the named orders filled, position, fills and orders were the venue's. " +
        `Each seed stops and starts again at its end until a stop is proven, which ${whole(counts.provenEnds)} of ${whole(seeds.length)} came to.`;
}

/** Runs that were finished before one with a smaller seed that never was. */
function furtherText({ runs, runsJudged = runs }: SimulationFigures): string {
  const further = runsJudged - runs;
  return further === 0
    ? ''
    : `of ${whole(further)} further runs, behind a seed that is missing, only what they broke is counted; `;
}

function commitsText(commits: readonly string[]): string {
  return commits.map((each) => `\`${each.slice(0, 12)}\``).join(', ');
}

/** Which code, and whether the present one does the same as far as the sample tells. */
function codeText(figures: SimulationFigures, sample: SampleEvidence | undefined): string {
  const { source, commits, carried = [] } = figures;
  const earlier = carried.map((each) => {
    const same = each.both - each.mended.length;
    const mended =
      each.mended.length === 0
        ? ''
        : `, and seed ${each.mended.join(', ')}, in which something was broken then, does not`;
    return `; ${whole(each.runs)} of the runs are by earlier code \`${each.source}\`, of commit ${commitsText(each.commits)}: ${whole(same)} of ${whole(each.both)} seeds that both have run come out the same, trace by trace${mended}`;
  });
  const code = `code \`${source}\`, of commit ${commitsText(commits)}`;
  if (source === sample?.source) return `${code}, which is the present one${earlier.join('')}`;
  if (figures.sample === undefined || sample === undefined) return `${code}${earlier.join('')}`;
  return doesSomethingElse(figures, sample)
    ? `${code}; the present code has other sample traces, so it does something else since${earlier.join('')}`
    : `${code}; the present code has the same ${sample.runs.length} sample traces${earlier.join('')}`;
}

/** As far as the sample tells. */
function doesSomethingElse(
  { source, sample: then }: SimulationFigures,
  now: SampleEvidence | undefined,
): boolean {
  if (then === undefined || now === undefined || source === now.source) return false;
  return sampleDigest(now.runs) !== then;
}

function verdictParts(row: SimulationFigures, isOneOfMany: boolean): readonly string[] {
  const { verdicts } = row;
  const times = Object.entries(verdicts).filter(
    ([verdict]) => verdict === 'adopted' || verdict === 'not-placed',
  );
  if (times.length === 0) return [];
  const said = times.map(
    ([verdict, { count, p50, p99 }]) =>
      `${verdict} p50 ${whole(p50)} s, p99 ${whole(p99)} s (of ${whole(count)})`,
  );
  return [
    `From the leaving of an order to the verdict about it, outages and deaths between them included${isOneOfMany ? ` (${seedsText(row)})` : ''}: ${said.join('; ')}.`,
  ];
}

function matrix(met: SimulationFigures['met']): string {
  const states = ['SYNCED', 'SUSPECT', 'RECONCILING', 'BOOT', 'QUARANTINED', 'HALTED', 'down'];
  const totalOf = (kind: string) => Object.values(met[kind] ?? {}).reduce((sum, count) => sum + count, 0);
  const kinds = Object.keys(met).toSorted((a, b) => totalOf(b) - totalOf(a));
  return table(
    ['Fault', 'In all', ...states],
    kinds.map((kind) => [
      kind,
      whole(totalOf(kind)),
      ...states.map((state) => whole(met[kind]?.[state] ?? 0)),
    ]),
  );
}

function sessionParts({ session }: Evidence): readonly string[] {
  if (session === undefined) return [];
  const { counts, source, commits } = session;
  return [
    '## A recorded session',
    `The packaged bot trades over HTTP for ${whole(counts.seconds)} s, on a venue with the same faults, and records what came from outside: ${whole(counts.orders)} orders, ${whole(counts.fills)} fills, ${whole(counts.events)} events, ${whole(counts.bytes / 1_024)} KiB. Another process executes it again in ${counts.replaySeconds.toFixed(1)} s: ${whole(counts.requests)} requests, ${whole(counts.records)} records and ${whole(counts.decisions)} decisions are ${counts.identical ? 'all the same' : '**not the same**'}, decision hash \`${counts.decisionHash.slice(0, 16)}\`. Then the answer of event ${whole(counts.changedTurn)} is made another one, with checksums that are right: the replay ${counts.named ? 'names exactly that event' : '**names another place**'}.`,
    `Seed ${counts.seed}; code \`${source}\`, of commit ${commitsText(commits)}.`,
  ];
}

function journalParts({ journal }: Evidence): readonly string[] {
  if (journal === undefined) return [];
  const { counts } = journal;
  return [
    '## The journal',
    `A journal of ${whole(counts.journalBytes)} bytes and ${whole(counts.records)} records, cut at ${whole(counts.cuts)} places (every byte of the last 64 KiB, every record boundary and one byte to either side; ${whole(counts.cutsWithGarbage)} of them with zeros, random bytes or old lines behind), and with ${whole(counts.flips)} bits turned, one at a time: ${whole(counts.refused)} were refused as damage, ${whole(counts.cutAsTorn)} stood in the last record and were cut with it. False records ${counts.falseRecords}, lost records ${counts.lostRecords}, whole journals refused ${counts.falseAlarms}, unnoticed flips ${counts.unnoticed}. ${whole(counts.reopened)} of them were read by the reader that a bot starts with. On a disk that is really full (tmpfs): ${counts.fullDisk}.`,
  ];
}

function mutantParts({ mutants }: Evidence): readonly string[] {
  if (mutants === undefined) return [];
  return [
    '## Mutants of the protocol',
    'Wrong versions of it, made by patches to a copy of the source: the checker must see each.',
    table(
      ['Mutant', 'What it does wrong', 'Seen'],
      mutants.mutants.map(
        ({ id, meaning, mode, hours, theme, subject, seed, invariant = '', runs, equivalent }) => [
          id,
          meaning,
          seed === undefined
            ? (equivalent ?? `**not in ${runs} runs**`)
            : `${invariant}, seed ${seed}, ${[mode, `${hours} h`, ...(theme === undefined ? [] : [`theme ${theme}`]), ...(subject === undefined ? [] : ['with stops'])].join(', ')}`,
        ],
      ),
    ),
  ];
}

function weaknesses({ simulation, mutants }: Evidence): string {
  const { 'A1-broken': a1, 'A2-broken': a2 } = simulation?.runs ?? {};
  return [
    '* Nobody can have it all without a client order id: for an order that is not found, no new risk is taken on that pair until its absence is proven. With T_late 60 s that is a minute and more.',
    ...(a1 === undefined
      ? []
      : [
          `* Where requests are doubled on the way (A1 broken), ${whole(a1.duplicatesByOthers)} of ${whole(a1.intents)} intents had two orders, and the worst position was ${a1.worst.toFixed(2)} times the limit. ${whole(a1.orphans)} of those orders were not known to the program in the end; its ${whole(a1.runs)} runs ended ${listText(a1.endStates)}.${brokenText('A1-broken', a1.violations)}`,
        ]),
    ...(a2 === undefined
      ? []
      : [
          `* Where requests are executed later than believed (A2 broken), ${whole(a2.late)} orders came after the verdict that there were none; ${whole(a2.orphans)} of all were never found, and the worst position was ${a2.worst.toFixed(2)} times the limit.${brokenText('A2-broken', a2.violations)}`,
        ]),
    '* The simulated venue is ours. The contract suite ties it to the specification, and the fault menu is played to the real client by a real server; what another venue does beside its specification is not in here.',
    '* A simulated disk decides what a power loss takes; no real one was unplugged.',
    ...(mutants === undefined
      ? ['* No mutants were run: how much the checker would see is known by the baselines only.']
      : []),
  ].join('\n');
}

/** Breaches whose run somebody has read, and what was found there. Any other is one of which nobody knows why. */
const READ: readonly {
  readonly mode: SimulationName;
  readonly runs: readonly string[];
  readonly why: string;
}[] = [
  {
    mode: 'A2-broken',
    runs: ['I8 seed 13', 'I8 seed 36', 'I8 seed 100', 'I8 seed 122'],
    why: 'an exit always may leave, even while an order on its side that was given up still counts; that order showed up after all, and alone it was larger than the limit',
  },
];

function brokenText(mode: SimulationName, violations: readonly string[]): string {
  const known = READ.filter((each) => each.mode === mode).map(({ runs, why }) => ({
    seen: runs.filter((run) => violations.includes(run)),
    why,
  }));
  const read = new Set(known.flatMap(({ seen }) => seen));
  const unread = violations.filter((each) => !read.has(each));
  return [...known, { seen: unread, why: 'nobody has looked into it yet' }]
    .filter(({ seen }) => seen.length > 0)
    .map(({ seen, why }) => ` Broken: ${seen.join(', ')} (${why}).`)
    .join('');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join(
    '\n',
  );
}

function listText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${whole(count)}`)
    .join(', ');
}

const seedsText = ({ seeds }: SimulationFigures): string => `seeds ${rangeText(seeds)}`;

function rangeText(ranges: readonly (readonly [number, number])[]): string {
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(', ');
}

/** With commas between the thousands. */
function whole(value: number): string {
  return Math.floor(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
}
