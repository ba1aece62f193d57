/** What `tickwright withdraw` hands to the program that withdraws. The address is not among it: it is typed, twice. */
export interface WithdrawArguments {
  readonly asset: string;
  /** Plain decimal text, units of the asset. */
  readonly quantity: string;
  readonly venue?: string | undefined;
  readonly profile?: string | undefined;
  readonly config?: string | undefined;
  readonly allowEnvKey?: true | undefined;
  /** Files of a key that may withdraw, which the bot's own key should not. */
  readonly keyFile?: string | undefined;
  readonly secretFile?: string | undefined;
}

const NAMES: readonly (keyof WithdrawArguments)[] = [
  'asset',
  'quantity',
  'venue',
  'profile',
  'config',
  'keyFile',
  'secretFile',
];

/** The arguments of the one JSON text; `undefined` when it is something else. */
export function readWithdrawArguments(text: string | undefined): WithdrawArguments | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const given = value as Partial<Record<keyof WithdrawArguments, unknown>>;
  if (typeof given.asset !== 'string' || typeof given.quantity !== 'string') return undefined;
  if (NAMES.some((name) => given[name] !== undefined && typeof given[name] !== 'string')) return undefined;
  if (given.allowEnvKey !== undefined && given.allowEnvKey !== true) return undefined;
  return given as WithdrawArguments;
}
