/** Texts of the files of a new bot project, except its strategy, test and package.json. */
import type { PackageManager } from './package-manager.js';

/** `schemaFile`: the schema from which editors know the allowed keys. `run`: what goes before `tickwright`. */
export function configText(
  strategyFile: string,
  schemaFile: string,
  { run }: Pick<PackageManager, 'run'>,
): string {
  const venue = `${run} tickwright venue --port 8085`;
  return `# yaml-language-server: $schema=${schemaFile}
#
# What this bot runs: on paper, against a simulated venue on this machine. No keys, no money.
#
#   ${venue}      in one terminal
#   ${`${run} tickwright start`.padEnd(venue.length)}      in another; then: ${run} tickwright status, ${run} tickwright stop
#
# Paths in this file start in its own folder. Durations read 500ms, 30s, 5m, 2h.
# Money and quantities are decimals in quotes: a bare 0.1 is a binary fraction, and close is not good enough here.
version: 1
mode: paper

venue:
  url: \${VENUE_URL:-http://127.0.0.1:8085}

state: var/bot

strategies:
  - file: ${strategyFile}
    pair: USD_BTC_PERP
    params: # what a strategy declares: ${run} tickwright help ${strategyFile}
      bars: 5s

# Optional on paper, and worth having: what you test is then what you will run.
limits:
  maxPosition: "0.05" # base units, long or short
  maxOrderQuantity: "0.02"
  maxOpenOrders: 5

control: { http: 127.0.0.1:0, dashboard: true } # port 0: any that is free
`;
}

export const TSCONFIG_TEXT = `{
  "compilerOptions": {
    "target": "es2022",
    "lib": ["es2023"],
    "types": [],
    "module": "preserve",
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "exactOptionalPropertyTypes": true,
    "verbatimModuleSyntax": true,
    "erasableSyntaxOnly": true,
    "skipLibCheck": true,
    "noEmit": true
  },
  "include": ["strategies", "test"]
}
`;

export const GITIGNORE_TEXT = `node_modules/

# what bots write
/data/
/var/
/backtest/

# never a secret
.env
.env.*
/secrets/
`;

export function readmeText(name: string, strategyFile: string, { run, test }: PackageManager): string {
  const check = `${run} tickwright check`;
  return `# ${name}

A trading bot made with Tickwright. Everything here runs offline, without keys and without money.

\`\`\`sh
${test.padEnd(check.length)}   # the strategy's test
${check}   # configuration, strategies, types

# over what is in ./data, or else the recording that ships with Tickwright
${run} tickwright backtest ${strategyFile} --set bars=5s

# against a simulated venue on this machine, over real HTTP, with a dashboard
${run} tickwright demo --strategy ${strategyFile} --set bars=1s fast=3 slow=9

# one more strategy with its test
${run} tickwright new another-idea
\`\`\`

\`tickwright.yaml\` says what \`${run} tickwright start\` runs as a daemon: on paper, until you decide otherwise.
\`${run} tickwright --help\` lists the rest.
`;
}
