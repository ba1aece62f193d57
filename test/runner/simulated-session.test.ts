/** Sessions of an hour in the simulated world, recorded and executed again: each life from its start to its death. */
import { describe, expect, it, test } from 'vitest';
import type { Turn } from '../../src/runner/black-box/turn.js';
import { TurnDecoder, TurnEncoder } from '../../src/runner/black-box/turn-codec.js';
import { runPlan } from '../../src/simulation/run-plan.js';
import { swarm } from '../../src/simulation/swarm.js';
import type { SwarmPlan } from '../../src/simulation/swarm-plan.js';
import type { ConnectRule } from '../../src/simulation/world/connect-rules.js';
import { drain } from '../simulation/drain.js';
import { boxedSubject, type RecordedLife, replayLife } from './boxed-subject.js';

const TEN_MINUTES_MS = 600_000;

async function livesOf(seed: number, changes: Partial<SwarmPlan> = {}): Promise<readonly RecordedLife[]> {
  const lives: RecordedLife[] = [];
  const plan = { ...swarm(seed, { hours: 1 }), ...changes };
  await runPlan(plan, { subject: boxedSubject(lives), drain, goOn: true });
  return lives.filter(({ books }) => books !== undefined);
}

const lengthOf = ({ turns }: RecordedLife): number =>
  (turns.at(-1)?.monotonic ?? 0) - (turns[0]?.monotonic ?? 0);

function longestOf(lives: readonly RecordedLife[]): RecordedLife {
  return lives.reduce((a, b) => (b.turns.length > a.turns.length ? b : a));
}

/** As they come out of a file. */
function stored(turns: readonly Turn[]): Turn[] {
  const encoder = new TurnEncoder();
  const decoder = new TurnDecoder();
  return turns.map((turn) => decoder.turn(JSON.parse(encoder.line(turn))));
}

test.each([
  [2, 'outages, answers that are lost, late or refused'],
  [3, 'deaths at every kind of place'],
  [24, 'a clock that is set, and a disk that fails'],
  [27, 'disks that fail and are full'],
  [48, 'a process that is stopped for a while'],
])('every life of a session with faults (seed %i: %s) is executed again as it was', async (seed) => {
  const lives = await livesOf(seed);
  let requests = 0;
  for (const life of lives) {
    expect(life.strays).toEqual([]);
    const { firstDifference, events, ...done } = await replayLife(life, stored(life.turns));
    expect(firstDifference).toBeUndefined();
    expect(events).toBe(life.turns.length);
    requests += done.requests;
  }
  expect(Math.max(...lives.map(lengthOf))).toBeGreaterThan(TEN_MINUTES_MS);
  expect(requests).toBeGreaterThan(1_000);
});

test('a session whose journal failed is executed again with the same failure', async () => {
  const lives = await livesOf(27);
  const failed = lives.filter(({ turns }) =>
    turns.some(
      ({ journalFailed, did }) => journalFailed !== undefined || did.some((deed) => /"failed":"/.test(deed)),
    ),
  );
  expect(failed.length).toBeGreaterThan(0);
  for (const life of failed) expect((await replayLife(life)).firstDifference).toBeUndefined();
});

test('orders that were asked again whether they may leave, and some of them may not, are the same again', async () => {
  const connect: readonly ConnectRule[] = [
    { name: 'slow', place: { paths: ['/auth/order'] }, when: {}, kind: 'slow-connect' },
  ];
  const { network } = swarm(2, { hours: 1 });
  const lives = await livesOf(2, { network: { ...network, connect } });
  let connected = 0;
  let kept = 0;
  for (const life of lives) {
    expect(life.strays).toEqual([]);
    connected += life.turns.filter(({ cause }) => cause.kind === 'connected').length;
    kept += life.turns.filter(({ cause }) => cause.kind === 'failure' && cause.reason === 'aborted').length;
    expect((await replayLife(life, stored(life.turns))).firstDifference).toBeUndefined();
  }
  expect(connected).toBeGreaterThan(10);
  expect(kept).toBeGreaterThan(0);
});

describe('what was changed in a recording', () => {
  const recording = livesOf(2).then(longestOf);

  async function afterChange(find: (turn: Turn) => Turn | undefined) {
    const life = await recording;
    const at = life.turns.findIndex((turn) => turn.number > 500 && find(turn) !== undefined);
    const turns = life.turns.map((turn, index) => (index === at ? (find(turn) as Turn) : turn));
    expect(at).toBeGreaterThan(0);
    return { turn: life.turns[at] as Turn, result: await replayLife(life, turns) };
  }

  it('is named at the turn of the answer that was another one', async () => {
    const { turn, result } = await afterChange((each) => {
      const { cause } = each;
      if (cause.kind !== 'answer' || !cause.body.includes('"is_buyer_maker"') || each.inputs === 0)
        return undefined;
      return { ...each, cause: { ...cause, body: '{"ok":false,"msg":"another answer"}' } };
    });
    expect(result.firstDifference?.event).toBe(turn.number);
    expect(result.firstDifference?.cause).toContain('is answered with 200');
  });

  it.each([
    ['request', '{"request":', '"path":"/', '"path":"/v2/'],
    ['record', '{"record":', '"kind":"prep"', '"kind":"other"'],
    ['decision', '{"decision":', '"kind":"place"', '"kind":"cancel"'],
  ])('is named when it is a %s, with both sides', async (kind, start, part, other) => {
    const { turn, result } = await afterChange((each) => {
      const at = each.did.findIndex((deed) => deed.startsWith(start) && deed.includes(part));
      if (at < 0) return undefined;
      return { ...each, did: each.did.with(at, (each.did[at] as string).replace(part, other)) };
    });
    expect(result.firstDifference).toMatchObject({ kind, event: turn.number });
    expect(result.firstDifference?.recorded).not.toEqual(result.firstDifference?.recomputed);
  });

  it('is named when something was done that is not there any more', async () => {
    const { turn, result } = await afterChange((each) =>
      each.did.length > 1 ? { ...each, did: each.did.slice(0, -1) } : undefined,
    );
    expect(result.firstDifference).toMatchObject({ event: turn.number, recorded: 'nothing' });
  });

  it('is named when a timer fires that nobody has set', async () => {
    const { turn, result } = await afterChange((each) =>
      each.cause.kind === 'timer' ? { ...each, cause: { kind: 'timer', timer: 999_999 } } : undefined,
    );
    expect(result.firstDifference).toMatchObject({
      kind: 'input',
      event: turn.number,
      recorded: 'timer 999999',
      recomputed: 'nothing that waits for it',
    });
  });

  it('is named when the clock was another one, at the first thing that shows it', async () => {
    const { turn, result } = await afterChange((each) =>
      each.did.some((deed) => deed.includes('"kind":"prep"')) ? { ...each, wall: each.wall + 1 } : undefined,
    );
    expect(result.firstDifference).toMatchObject({ kind: 'record', event: turn.number });
  });
});

test('turns come out of a file as they went in, and answers that repeat themselves stand there once', async () => {
  const life = longestOf(await livesOf(2));
  expect(stored(life.turns)).toEqual(life.turns);
  const encoder = new TurnEncoder();
  const lines = life.turns.map((turn) => encoder.line(turn));
  const same = lines.filter((line) => line.includes('"same":true'));
  expect(same.length).toBeGreaterThan(1_000);
});

test('a replay that is to stop at an event stops there, and shows where the session stood', async () => {
  const life = longestOf(await livesOf(2));
  const whole = await replayLife(life);
  const half = Math.floor(life.turns.length / 2);
  const stopped = await replayLife(life, life.turns, half);
  expect(stopped).toMatchObject({ events: half, end: 'stopped', firstDifference: undefined });
  expect(stopped.last?.turn.number).toBe(half);
  expect(whole.last?.session.state).toBeDefined();
});
