/**
 * Thrown by calls of a life that is over. A real process would not experience it; code that catches it continues
 * without effect. It must not leave `src/simulation` in any other way.
 */
export class Killed extends Error {
  readonly life: string;
  constructor(life: string) {
    super(`${life} was killed`);
    this.name = 'Killed';
    this.life = life;
  }
}

/**
 * Whether an error is `Killed`, or was caused by it at any depth. What a dead life throws must not count as a failure.
 */
export function isKilled(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof Killed) return true;
  return false;
}
