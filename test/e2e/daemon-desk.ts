/** A venue, a door before it, and daemons on one configuration: real processes, files and sockets. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type KeyedConnection } from '../../src/cli/connection/connection.js';
import { thisMachine } from '../../src/cli/machine.js';
import type { DaemonStatus } from '../../src/daemon/daemon-api.js';
import {
  KEY,
  KEYS,
  MAIN,
  oneDocument,
  ROOT,
  run,
  type Running,
  SECRET,
  start,
  startVenue,
  until,
} from './program.js';
import { VenueDoor } from './venue-door.js';

export interface DeskOptions {
  readonly folder: string;
  /** Lines of YAML besides the usual ones. */
  readonly more?: string;
  readonly strategies?: string;
  readonly pairs?: readonly string[];
  readonly state?: string;
  /** Cash of each account at the venue, like `USD=5000000`; default: what the venue gives. */
  readonly deposit?: string;
}

export const PAIR = 'USD_BTC_PERP';

const OTHER = 'another-account';
const OTHER_KEYS = { TICKWRIGHT_VENUE__API_KEY: OTHER, TICKWRIGHT_VENUE__API_SECRET: OTHER };

export interface DaemonFileText {
  readonly pid: number;
  readonly socket: string;
  readonly url?: string;
}

export class DaemonDesk {
  readonly door: VenueDoor;
  readonly state: string;
  readonly config: string;
  readonly #venue: Running;
  readonly #url: string;
  readonly #connection: KeyedConnection;
  readonly #pids = new Set<number>();

  private constructor(door: VenueDoor, venue: Awaited<ReturnType<typeof startVenue>>, options: DeskOptions) {
    const { folder, strategies, more = '', state = join(folder, 'state') } = options;
    this.door = door;
    this.state = state;
    this.#venue = venue.running;
    this.#url = venue.url;
    const credentials = { apiKey: KEY, apiSecret: SECRET };
    this.#connection = connect(thisMachine('error'), { url: venue.url, credentials });
    this.config = join(folder, 'bot.yaml');
    const standard = `  - { file: ${join(ROOT, 'strategies', 'market-maker.ts')}, pair: ${PAIR} }`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      this.config,
      [
        'version: 1',
        'mode: live',
        `venue: { url: ${door.url} }`,
        `state: ${state}`,
        'poll: { trades: 200ms, position: 200ms, orders: 200ms, fills: 200ms, ticker: 200ms }',
        'strategies:',
        strategies ?? standard,
        'limits: { maxPosition: "0.5", maxOrderQuantity: "0.2", maxGrossNotional: "50000", maxOpenOrders: 20,',
        '  maxOrdersPerMinute: 600, maxDailyLoss: "2000", priceCollar: "0.02" }',
        more,
      ].join('\n'),
    );
  }

  static async open(options: DeskOptions): Promise<DaemonDesk> {
    const pairs = options.pairs ?? [PAIR];
    const other = `${OTHER}:${OTHER}`;
    const venue = await startVenue([
      '--synthetic',
      '1',
      '--account',
      other,
      ...(options.deposit === undefined ? [] : ['--deposit', options.deposit]),
      ...pairs.flatMap((pair) => ['--pair', pair]),
    ]);
    return new DaemonDesk(await VenueDoor.open(venue.url), venue, options);
  }

  /** The command with this desk's configuration. */
  tickwright(command: string, ...args: readonly string[]) {
    return run([command, '--config', this.config, ...args], { env: KEYS });
  }

  /** Starts a daemon in the background, which must become ready. */
  async start(...args: readonly string[]): Promise<number> {
    const { code, stdout, stderr } = await this.tickwright(
      'start',
      '--live',
      '--no-certificate',
      '--detach',
      '--json',
      ...args,
    );
    if (code !== 0) throw new Error(`start ended with ${code}: ${stderr}\n${this.log()}`);
    const pid = Number(oneDocument(stdout)['pid']);
    this.#pids.add(pid);
    return pid;
  }

  /** A process of the desk's own, to be ended with it. */
  background(...args: readonly string[]): Running {
    const running = start([args[0] as string, '--config', this.config, ...args.slice(1)], { env: KEYS });
    if (running.child.pid !== undefined) this.#pids.add(running.child.pid);
    return running;
  }

  async status(): Promise<DaemonStatus> {
    const { stdout } = await this.tickwright('status', '--json');
    return oneDocument(stdout) as unknown as DaemonStatus;
  }

  /** Ids of orders that are active at the venue, whatever the door does. */
  async orders(pair = PAIR): Promise<readonly string[]> {
    return (await this.#connection.api.orders('active', { pair, limit: 100 })).map(({ id }) => id);
  }

  async statusOf(orderId: string): Promise<string> {
    return (await this.#connection.api.order(orderId)).status;
  }

  /** An order as the venue shows it, whatever the door does. */
  order(orderId: string) {
    return this.#connection.api.order(orderId);
  }

  /** Ids of triggers that wait at the venue, whatever the door does. */
  async triggers(pair = PAIR): Promise<readonly string[]> {
    const found = await this.#connection.api.triggers({ pair, limit: 100 });
    return found.filter(({ status }) => status === 'UNTRIGGERED').map(({ id }) => id);
  }

  /** Somebody else sells as much as there are bids for down to a price, or so many base units, and buys it back. */
  async sellOff(quantity: number, price: number, pair = PAIR): Promise<void> {
    const other = async (...command: readonly string[]) => {
      const args = [...command, '--pair', pair, '--venue', this.#url, '--yes'];
      return run(args, { env: OTHER_KEYS });
    };
    const terms = ['--side', 'sell', '--quantity', String(quantity), '--price', price.toFixed(1)];
    const sale = await other('order', ...terms, '--time-in-force', 'IOC');
    if (sale.code !== 0) throw new Error(`the sale must be accepted: ${sale.stderr}`);
    const purchase = await other('close');
    // Where nobody bid so much, nothing was sold.
    if (purchase.code !== 0 && !purchase.stderr.includes('there is no open position'))
      throw new Error(`the purchase must be accepted: ${purchase.stderr}`);
  }

  /** Base units, signed. */
  async position(pair = PAIR): Promise<number> {
    return (await this.#connection.api.position(pair)).size;
  }

  log(): string {
    const path = join(this.state, 'daemon.log');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  file(): DaemonFileText {
    return JSON.parse(readFileSync(join(this.state, 'daemon.json'), 'utf8')) as DaemonFileText;
  }

  /** Resolves to ms until it holds. @throws when it takes far too long */
  until(what: string, holds: () => Promise<boolean> | boolean): Promise<number> {
    return until(what, holds, () => this.log().slice(-3_000));
  }

  /**
   * Resolves when a status holds what is wanted. One of a daemon that is busy for a moment is what it said last, and of
   * one that is busy for longer what its journal says: neither is wrong.
   */
  async said(what: string, wanted: (status: DaemonStatus) => void): Promise<void> {
    let problem: unknown;
    const holds = async () => {
      const status = await this.status();
      try {
        wanted(status);
        return true;
      } catch (error) {
        problem = error;
        return false;
      }
    };
    await until(`a status with ${what}`, holds, () => `${String(problem)}\n${this.log().slice(-3_000)}`);
  }

  quoting(pair = PAIR): Promise<number> {
    return this.until(`two quotes on ${pair}`, async () => (await this.orders(pair)).length >= 2);
  }

  async close(): Promise<void> {
    for (const pid of this.#pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    await this.#connection.close();
    await this.door.close();
    this.#venue.child.kill('SIGKILL');
    await this.#venue.ended;
  }
}

export async function withDesk(
  options: DeskOptions,
  work: (desk: DaemonDesk) => Promise<void>,
): Promise<void> {
  const desk = await DaemonDesk.open(options);
  try {
    await work(desk);
  } finally {
    await desk.close();
  }
}

/** Runs a program of the machine. */
export function machine(command: string, ...args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore' });
    child.once('error', () => resolve(-1));
    child.once('close', (code) => resolve(code ?? -1));
  });
}

export { MAIN };
