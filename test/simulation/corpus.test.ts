import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runPlan } from '../../src/simulation/run-plan.js';
import type { SimulationCase } from '../../src/simulation/shrink.js';
import { subjectNamed } from '../../src/simulation/subjects.js';
import { drain } from './drain.js';

const folder = fileURLToPath(new URL('./corpus/', import.meta.url));
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));

describe('every case that ever failed', () => {
  test('is kept', () => {
    expect(names.length).toBeGreaterThan(0);
  });

  test.each(names)('%s', async (name) => {
    const {
      subject,
      invariant,
      expect: expected,
      plan,
    } = JSON.parse(readFileSync(`${folder}${name}`, 'utf8')) as SimulationCase;
    const program = subjectNamed(subject);
    const promises = expected === 'holds' ? program.promises : new Set([invariant]);
    const { violations } = await runPlan(plan, { subject: { ...program, promises }, drain });
    expect(violations.map((each) => each.invariant)).toEqual(expected === 'holds' ? [] : [expected]);
  });
});
