// `node --import bench/usage.mjs …` with BENCH_USAGE=FILE: leaves there what the process used by its end.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(
    process.env.BENCH_USAGE,
    JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1_000, rssMiB: Math.round(maxRSS / 1_024) }),
  );
});
