/**
 * The arguments that `tickwright withdraw` passes to the program that withdraws. They do not contain the address, which
 * the person must type twice.
 */
export interface WithdrawArguments {
  readonly asset: string;
  /** Plain decimal text, in units of the asset. */
  readonly quantity: string;
  readonly venue?: string | undefined;
  readonly profile?: string | undefined;
  readonly config?: string | undefined;
  readonly allowEnvKey?: true | undefined;
  /** Files of a key that may withdraw. The bot's own key should not have that permission. */
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

/** Parses the arguments from JSON text; `undefined` if the text is invalid. */
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
