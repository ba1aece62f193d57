/** Checks the files of a saved run, which may have been edited since. */
import { Fields } from '../storage/json-fields.js';
import { parseInferredGrid } from '../storage/market-spec.js';

/** @throws UsageError that names the file and what in it is not what it must be */
export function checkResult(path: string, value: unknown): void {
  new Fields(value, path).text('runId');
}

/** The same of what it takes to run it again. */
export function checkRecipe(path: string, value: unknown): void {
  const recipe = new Fields(value, path);
  recipe.text('runId');
  const data = recipe.object('data');
  const list = data.array('paths');
  const paths = new Fields(Object.fromEntries(list.entries()), `${path}.data.paths`);
  for (const at of list.keys()) paths.text(String(at));
  for (const name of ['from', 'to']) numberOrNull(data, name);
  const options = recipe.object('options');
  options.text('capital');
  options.oneOf('fill', ['through', 'queue', 'touch', 'all']);
  options.integer('seed');
  for (const name of ['latencyMs', 'jitterMs', 'slippageTicks']) numberOrNull(options, name);
  if (!recipe.has('strategies')) {
    checkStrategy(recipe.object('strategy'));
    data.text('pair');
    for (const name of ['last', 'lastFact']) if (data.has(name)) numberOrNull(data, name);
    if (data.has('inferred')) parseInferredGrid(data.object('inferred'));
    if (options.value('poll') !== null) options.text('poll');
    if (options.has('polledTo')) options.number('polledTo');
    options.object('limits');
    return;
  }
  for (const [at, each] of recipe.array('strategies').entries()) {
    const strategy = new Fields(each, `${path}.strategies.${at}`);
    checkStrategy(strategy);
    strategy.text('pair');
    for (const name of ['last', 'lastFact']) if (strategy.has(name)) numberOrNull(strategy, name);
    if (strategy.has('inferred')) parseInferredGrid(strategy.object('inferred'));
    strategy.object('limits');
  }
}

function checkStrategy(strategy: Fields): void {
  strategy.text('file');
  strategy.object('params');
}

function numberOrNull(fields: Fields, name: string): void {
  if (fields.value(name) !== null) fields.number(name);
}
