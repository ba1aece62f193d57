import { UsageError } from '../model/errors.js';
import type { FaultKind, FaultPlanTerms, FaultRule, FaultWindow } from '../model/fault-rule.js';
import { closest } from './closest.js';
import { type ConfigProblem, configError } from './config-problem.js';
import { type CommonInput, FAULT_SCHEMAS, type FaultInput, planSchema } from './fault-schema.js';
import { schemaProblems, withoutRepeats } from './schema-problems.js';
import type { Environment } from './substitute.js';
import { type Path, pathText, readYaml, type YamlDocument } from './yaml-document.js';

export interface FaultPlanSource {
  readonly text: string;
  /** How messages name the file. */
  readonly shown: string;
  readonly environment: Environment;
}

const MOST_CHARACTERS = 1_048_576;
const KINDS = Object.keys(FAULT_SCHEMAS) as readonly FaultKind[];
/** Faults that may only strike reads. */
const READ_FAULTS: readonly FaultKind[] = ['stale-read', 'late-visibility'];

/**
 * Reads a fault plan.
 *
 * @throws UsageError with every problem of the file, each as `file:line:col path: expected …, received …` with the
 * line and a caret.
 */
export function parseFaultPlan({ text, shown, environment }: FaultPlanSource): FaultPlanTerms {
  if (text.length > MOST_CHARACTERS) {
    const message = `${shown}: expected at most ${MOST_CHARACTERS} characters, received ${text.length}`;
    throw new UsageError('TICKWRIGHT_E_CONFIG', message);
  }
  const document = readYaml(text, { environment, isText: () => false });
  if (document.value === undefined) throw configError(shown, text, document.problems);
  const problems: ConfigProblem[] = [...document.problems];
  const plan = planSchema.safeParse(document.value);
  if (!plan.success) problems.push(...schemaProblems(plan.error.issues, planSchema, document));
  const rules = plan.success
    ? plan.data.rules.map((rule, index) => ruleAt(index, rule, document, problems))
    : [];
  const named = withNames(rules, document, problems);
  if (!plan.success || problems.length > 0) throw configError(shown, text, withoutRepeats(problems));
  return { seed: plan.data.seed, rules: named };
}

interface UnnamedRule extends Omit<FaultRule, 'name'> {
  readonly name: string | undefined;
}

/** `undefined` when the rule has problems, which are then among `problems`. */
function ruleAt(
  index: number,
  value: unknown,
  document: YamlDocument,
  problems: ConfigProblem[],
): UnnamedRule | undefined {
  const path: Path = ['rules', index];
  const kind = kindOf(value, path, document, problems);
  if (kind === undefined) return undefined;
  const { schema, keys } = FAULT_SCHEMAS[kind];
  const checked = schema.safeParse(value);
  if (!checked.success) {
    problems.push(...schemaProblems(checked.error.issues, keys, document, path));
    return undefined;
  }
  const contradictions = contradictionsOf(checked.data, path, document);
  problems.push(...contradictions);
  return contradictions.length > 0 ? undefined : ruleOf(checked.data);
}

function kindOf(
  value: unknown,
  path: Path,
  document: YamlDocument,
  problems: ConfigProblem[],
): FaultKind | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push(problemAt(path, 'expected a map with the key fault, received something else', document));
    return undefined;
  }
  const { fault } = value as { readonly fault?: unknown };
  const kind = KINDS.find((each) => each === fault);
  if (kind !== undefined) return kind;
  const meant = typeof fault === 'string' ? closest(fault, KINDS) : undefined;
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  const received = fault === undefined || fault === null ? 'nothing' : JSON.stringify(fault);
  const message = `expected one of ${KINDS.join(', ')}, received ${received}${hint}`;
  problems.push(problemAt([...path, 'fault'], message, document));
  return undefined;
}

/** Combinations of fields that are each valid but contradict each other. */
function contradictionsOf(
  { common, effect }: FaultInput,
  path: Path,
  document: YamlDocument,
): readonly ConfigProblem[] {
  const found: ConfigProblem[] = [];
  const complain = (key: string, message: string) => {
    found.push(problemAt([...path, key], message, document, 'key'));
  };
  const window = windowOf(common);
  if (common.between?.times !== undefined && (common.from !== undefined || common.for !== undefined)) {
    complain('between', 'expected one time window, received between and from or for');
  }
  if (common.for === 0) complain('for', 'expected a duration above 0, received 0');
  if (window?.repeatMs !== undefined && !(window.repeatMs >= window.untilMs - window.fromMs)) {
    complain(
      'repeat',
      'expected a duration that is not shorter than the window it repeats, and a window that ends',
    );
  }
  if (common.repeat !== undefined && window === undefined) {
    complain('repeat', 'expected a window to repeat (from and for, or between), received none');
  }
  if (effect.kind === 'stale-read' && effect.ageMs === undefined && window === undefined) {
    complain('fault', 'expected an age, or a time window at whose beginning reads stop, received neither');
  }
  const { calls, method } = common.place;
  if (READ_FAULTS.includes(effect.kind) && (calls === 'write' || method === 'POST')) {
    complain('place', `expected reads, which is all that ${effect.kind} is about, received writes`);
  }
  return found;
}

function ruleOf({ common, effect }: FaultInput): UnnamedRule {
  const { name, place, probability, index, every, between, limit } = common;
  const calls = place.calls ?? (READ_FAULTS.includes(effect.kind) ? 'read' : undefined);
  return {
    name,
    place: { paths: place.path, method: place.method, account: place.account, calls },
    when: { probability, index, every, requests: between?.requests, window: windowOf(common), limit },
    effect,
  };
}

function windowOf({ between, from, for: length, repeat }: CommonInput): FaultWindow | undefined {
  const times = between?.times;
  if (times !== undefined) return { fromMs: times[0], untilMs: times[1], repeatMs: repeat };
  if (from === undefined && length === undefined) return undefined;
  const fromMs = from ?? 0;
  return { fromMs, untilMs: fromMs + (length ?? Number.POSITIVE_INFINITY), repeatMs: repeat };
}

/** A rule without a name is called after its fault, the second of its kind with a 2, and so on. */
function withNames(
  rules: readonly (UnnamedRule | undefined)[],
  document: YamlDocument,
  problems: ConfigProblem[],
): readonly FaultRule[] {
  const taken = new Set<string>();
  const unnamed = new Map<FaultKind, number>();
  const named: FaultRule[] = [];
  for (const [index, rule] of rules.entries()) {
    if (rule === undefined) continue;
    const { kind } = rule.effect;
    const ordinal = (unnamed.get(kind) ?? 0) + 1;
    if (rule.name === undefined) unnamed.set(kind, ordinal);
    const name = rule.name ?? (ordinal === 1 ? kind : `${kind} ${ordinal}`);
    if (taken.has(name)) {
      const message = `expected a name that no other rule has, received ${JSON.stringify(name)}`;
      problems.push(problemAt(['rules', index, 'name'], message, document));
    }
    taken.add(name);
    named.push({ ...rule, name });
  }
  return named;
}

function problemAt(path: Path, message: string, document: YamlDocument, at?: 'key'): ConfigProblem {
  const place = document.placeOf(path);
  const [start, end] = (at === 'key' ? place.key : undefined) ?? place.value;
  return { start, end, path: pathText(path), message };
}
