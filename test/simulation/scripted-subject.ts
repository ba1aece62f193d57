import { createVenueClient, type VenueClient } from '../../src/client/client.js';
import { sha256 } from '../../src/model/digest.js';
import type { Lots } from '../../src/model/grid.js';
import type { OrderTerms } from '../../src/model/order.js';
import type { PairState } from '../../src/model/pair-state.js';
import { seededRandom } from '../../src/model/random.js';
import { sleep } from '../../src/ports/clock.js';
import { ALL_INVARIANTS } from '../../src/simulation/invariant.js';
import type {
  Judgement,
  RunningSubject,
  Subject,
  SubjectConfig,
  SubjectPorts,
} from '../../src/simulation/subject.js';
import { isKilled } from '../../src/simulation/world/killed.js';

/** A program that does everything right as long as its script does not tell it otherwise. */
export class ScriptedBot implements RunningSubject {
  readonly judged = new Map<string, Judgement>();
  get judgements(): number {
    return this.judged.size;
  }
  readonly boundOrders = new Map<string, string>();
  readonly api: VenueClient;
  readonly ports: SubjectPorts;
  readonly config: SubjectConfig;
  doubts = 0;
  isHalted = false;
  hasEnded = false;
  state: PairState = 'BOOT';
  position = 0;
  cut = { number: 0, position: 0 as Lots };
  /** Whether orders are written down before they leave. */
  writesAhead = true;
  readonly #intents = new Map<string, string>();
  #intent = '';

  constructor(ports: SubjectPorts, config: SubjectConfig) {
    this.ports = ports;
    this.config = config;
    this.api = createVenueClient({
      baseUrl: config.baseUrl,
      profile: config.profile,
      credentials: config.credentials,
      transport: {
        exchange: (request) => {
          if (request.url.endsWith('/auth/order')) {
            const body = request.body ?? '';
            this.#intents.set(body, this.#intent);
            if (this.writesAhead) this.#write(sha256(body));
          }
          return ports.transport.exchange(request);
        },
        close: () => ports.transport.close(),
      },
      clock: ports.clock,
      timers: ports.timers,
      random: seededRandom(1),
      log: ports.log,
    });
  }

  claims() {
    const { pair } = this.config.market;
    return [{ pair, state: this.state, position: this.position as Lots, cut: this.cut }];
  }

  bound() {
    return this.boundOrders;
  }

  intentOf(body: string) {
    return this.#intents.get(body);
  }

  pause(ms: number): Promise<void> {
    return sleep(this.ports.timers, ms);
  }

  /** Reads everything, and says so. */
  async sync(): Promise<void> {
    const { market } = this.config;
    await this.api.ticker(market.pair);
    const { size } = await this.api.position(market.pair);
    this.position = Math.round(size * market.quantityGrid.scale);
    this.cut = { number: this.cut.number + 1, position: this.position as Lots };
    this.state = 'SYNCED';
  }

  /** At market, or resting far away when there are `ticks`. Resolves to the order's id. */
  async order(intent: string, lots: number, options: { ticks?: number; reduceOnly?: boolean } = {}) {
    const { ticks, reduceOnly = false } = options;
    this.#intent = intent;
    const terms = {
      side: lots > 0 ? 'buy' : 'sell',
      type: ticks === undefined ? 'market' : 'limit',
      ticks,
      lots: Math.abs(lots),
      timeInForce: ticks === undefined ? 'IOC' : 'GTC',
      postOnly: false,
      reduceOnly,
    } as OrderTerms;
    const outcome = await this.api.place(this.config.market, terms, undefined);
    if (outcome.kind !== 'accepted') throw new Error(`${intent}: ${outcome.kind}, ${outcome.reason}`);
    this.boundOrders.set(outcome.order.id, intent);
    return outcome.order.id;
  }

  #write(line: string): void {
    const file = this.ports.files.openAppendSync(`${this.config.directory}/preps`);
    file.append(new TextEncoder().encode(`${line}\n`));
    file.sync();
    file.close();
  }
}

/** Runs the script, and then keeps in step with the venue. */
export function scripted(
  script: (bot: ScriptedBot) => Promise<void>,
  afterwards: 'keeps in step' | 'stands still' = 'keeps in step',
): Subject {
  return {
    name: 'scripted',
    promises: ALL_INVARIANTS,
    survivesCrashes: true,
    start(ports, config) {
      const bot = new ScriptedBot(ports, config);
      const run = async () => {
        await ports.files.makeDirectory(config.directory);
        await bot.sync();
        await script(bot);
        while (afterwards === 'keeps in step') {
          await bot.pause(1_000);
          await bot.sync();
        }
      };
      run().catch((error: unknown) => {
        if (!isKilled(error)) throw error;
      });
      return bot;
    },
  };
}
