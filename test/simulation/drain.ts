/** Turns that are asked for at once: the event loop then polls the system once for all of them. */
const BATCH = 64;

let turnsLeft = 0;
let waiting: (() => void)[] = [];

/** Resolves when every promise that can settle by itself has: between two immediates Node runs all microtasks. */
export function drain(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (turnsLeft > 0) return;
    turnsLeft = BATCH;
    for (let i = 0; i < BATCH; i++) setImmediate(turn);
  });
}

function turn(): void {
  turnsLeft -= 1;
  if (waiting.length === 0) return;
  const resolved = waiting;
  waiting = [];
  for (const resolve of resolved) resolve();
}
