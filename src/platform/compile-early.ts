import { setFlagsFromString } from 'node:v8';

/** By the generation of V8, how it is told when a function is worth compiling. A V8 not named here is left alone. */
const FLAGS: Readonly<Record<string, string>> = {
  // Node 20: bytes of bytecode between two looks at a function; V8's own number is 67584.
  11: '--interrupt-budget=20000',
  // Node 22 and 24: calls before the best compiler takes a function; V8's own number is 3000.
  12: '--invocation-count-for-turbofan=1000',
  13: '--invocation-count-for-turbofan=1000',
};

/** The flag that this process's V8 is told, or `undefined` where it is left as it is. */
export function earlyFlag(v8Version: string): string | undefined {
  return FLAGS[v8Version.split('.', 1)[0] as string];
}

/**
 * V8 compiles what runs often after a third of the calls that it waits for by itself. Its measure is made for loops,
 * and what lies between a poll and its order runs once a poll: of a bot that polls every second, most would be
 * bytecode for an hour, and each order would wait for it. For the whole process, from now on; it computes the same.
 *
 * Node warns of flags that change what compiled code may assume. These two are numbers that V8 reads anew each time it
 * looks at a function.
 */
export function compileEarly(): void {
  const flag = earlyFlag(process.versions.v8);
  if (flag !== undefined) setFlagsFromString(flag);
}
