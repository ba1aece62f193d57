import type { Lots, Ticks } from '../model/grid.js';
import type { HttpTransport } from '../ports/http.js';
import type { Oracle } from './oracle.js';
import type { RunningSubject, Subject, SubjectConfig } from './subject.js';
import type { Incident, SwarmPlan } from './swarm-plan.js';
import { holdsSecret, MARKET } from './subject-config.js';
import type { PlaceRequest } from '../venue/core/commands.js';
import { TornOrders } from './torn-orders.js';
import type { CrashPoint, Death, Life, LogLine } from './world/life.js';
import type { VenueWorld } from './world/venue-world.js';
import type { VirtualDisk } from './world/virtual-disk.js';

export interface MachineOptions {
  readonly world: VenueWorld;
  readonly plan: SwarmPlan;
  readonly disk: VirtualDisk;
  readonly subject: Subject;
  readonly config: Omit<SubjectConfig, 'session'>;
  readonly oracle: Oracle;
}

/** How long the supervisor waits before it restarts a program that has ended. */
const RESTART_MS = 5_000;
/** How long after a disk error somebody restarts the program. */
const REPAIR_MS = 5 * 60_000;
/** A crash that waits for a crash point strikes after this time at the latest. */
const PATIENCE_MS = 60_000;
/** Matches orders only: no other record has a price next to an original one. */
const ORDER_PRICE = /"price":[^,]*,("price_orig":)/g;
/** How far from the price a crowd places its orders, as a fraction of it, and the time between them, ms. */
const CROWD_AWAY = 0.03;
const CROWD_EVERY_MS = 150;
const ORDER_PATHS = /\/(?:order|orders|active_orders)(?:\?|$)/;
const DATA_PATHS = /\/(?:trades|ticker|depth)(?:\?|$)/;

/** A market order of somebody who uses the account by hand. `signed`: positive to buy. */
export function marketOrder(signed: Lots): PlaceRequest {
  const terms = {
    side: signed > 0 ? 'buy' : 'sell',
    type: 'market',
    ticks: undefined,
    lots: Math.abs(signed) as Lots,
    timeInForce: 'IOC',
    postOnly: false,
    reduceOnly: false,
  } as const;
  return { pair: MARKET.pair, terms };
}

/** The machine that the program runs on. Restarts the program whenever it ended, and carries out incidents. */
export class Machine {
  readonly #options: MachineOptions;
  /** Number of crashes by crash point. */
  readonly crashes = new Map<CrashPoint, number>();
  readonly incidents = new Map<Incident['kind'], number>();
  lives = 0;
  /** Number of log lines that contain the key or the secret. */
  secretsInLogs = 0;
  #doubts = 0;
  #life: Life | undefined;
  #running: RunningSubject | undefined;
  #startPlanned = false;

  constructor(options: MachineOptions) {
    this.#options = options;
  }

  start(): void {
    const { world, plan, disk, subject, config, oracle } = this.#options;
    this.#startPlanned = false;
    this.lives++;
    const { offsetMs, driftPpm } = plan.clock;
    const name = `bot-${this.lives}`;
    // An uncaught error ends a process.
    const onUncaught = () => life.kill('kill');
    const onLog = ({ message, fields }: LogLine) => {
      if (holdsSecret(`${message} ${JSON.stringify(fields)}`)) this.secretsInLogs++;
    };
    const life: Life = world.boot({ name, disk, wallOffsetMs: offsetMs, driftPpm, onUncaught, onLog });
    this.#life = life;
    life.onDeath((at) => this.#died(at));
    const { clock, timers, files, entropy, signals, log, processes } = life;
    const transport = this.#watched(name, life.transport);
    const session = `s${this.lives}`;
    const running = subject.start(
      { name, clock, timers, files, transport, entropy, signals, log, processes },
      { ...config, session },
    );
    if (!life.isAlive) return;
    this.#running = running;
    oracle.begin(name, running);
    world.scheduler.wake();
  }

  /** Ends the process of a program that stopped by itself. To be called once a second. */
  look(): void {
    if (this.#running?.hasEnded === true) this.#life?.kill('kill');
  }

  /** Ends crashes and other incidents; a program that is down is still restarted. */
  heal(): void {
    this.#life?.crashNever();
  }

  /** Number of order requests without a conclusive answer, in all lives. */
  get doubts(): number {
    return this.#doubts + (this.#running?.doubts ?? 0);
  }

  get isUp(): boolean {
    return this.#life?.isAlive === true;
  }

  happen(incident: Incident): void {
    const { world, disk, config, subject, oracle } = this.#options;
    const life = this.#life;
    if (incident.kind === 'crash' && !subject.survivesCrashes) return;
    this.incidents.set(incident.kind, (this.incidents.get(incident.kind) ?? 0) + 1);
    oracle.struck(incident.kind);
    switch (incident.kind) {
      case 'crash':
        this.#crash(incident);
        return;
      case 'clock-jump':
        life?.jumpWall(incident.ms);
        return;
      case 'suspend':
        if (life?.isAlive !== true) return;
        life.suspend(incident.ms, incident.what);
        oracle.suspended(incident.ms);
        return;
      case 'disk-error':
        disk.failNext(incident.call, { nth: incident.nth });
        this.#repair(REPAIR_MS, life);
        return;
      case 'disk-full':
        disk.capacity = disk.used;
        world.scheduler.at(world.scheduler.now + incident.ms, () => {
          disk.capacity = Number.POSITIVE_INFINITY;
        });
        this.#repair(incident.ms + REPAIR_MS, life);
        return;
      case 'external-order': {
        const now = world.venueNow();
        oracle.foreign(() => {
          world.core.place(world.account('bot'), marketOrder(incident.lots), now);
        });
        return;
      }
      case 'crowd':
        for (let index = 0; index < incident.orders; index++) this.#crowd(index, incident.restMs);
        return;
      case 'halt':
        this.#running?.halt?.(incident.level);
        return;
      case 'price-jump':
        world.street(config.market.pair).jump(incident.factor);
        return;
      case 'market-pause':
        world.street(config.market.pair).pause(incident.ms);
        return;
    }
  }

  #crash({ death, point, downMs }: Extract<Incident, { kind: 'crash' }>): void {
    const life = this.#life;
    if (life?.isAlive !== true) return;
    this.#downMs = downMs;
    if (point === undefined) {
      life.kill(death);
      return;
    }
    const { name, nth } = point;
    if (name === undefined) life.crashAt(life.points + nth, death);
    else {
      let left = nth;
      life.crashWhen((each) => each === name && --left === 0, death);
    }
    this.#killLater(life, PATIENCE_MS, death);
  }

  /** Places one of the orders of a crowd, at a time of its own. */
  #crowd(index: number, restMs: number): void {
    const { world } = this.#options;
    const { scheduler, core } = world;
    const account = world.account('bot');
    const side = index % 2 === 0 ? 'buy' : 'sell';
    const far = 1 + (side === 'buy' ? -1 : 1) * CROWD_AWAY * (1 + index / 100);
    scheduler.at(scheduler.now + index * CROWD_EVERY_MS, () => {
      const { tickSize } = MARKET.filters.price;
      const ticks = Math.round((world.street(MARKET.pair).ticks * far) / tickSize) * tickSize;
      const resting = { type: 'limit', ticks: ticks as Ticks, timeInForce: 'GTC' } as const;
      const { terms } = marketOrder((side === 'buy' ? 1 : -1) as Lots);
      const placed = core.place(
        account,
        { pair: MARKET.pair, terms: { ...terms, ...resting } },
        world.venueNow(),
      );
      if (!('order' in placed)) return;
      scheduler.at(scheduler.now + restMs, () => {
        core.cancel(account, placed.order.id, world.venueNow());
      });
    });
  }

  #downMs = RESTART_MS;

  /** Restarts a program that cannot write, once the disk works again. */
  #repair(ms: number, life: Life | undefined): void {
    if (life !== undefined && this.#options.subject.survivesCrashes) this.#killLater(life, ms, 'kill');
  }

  #killLater(life: Life, ms: number, death: Death): void {
    const { scheduler } = this.#options.world;
    scheduler.at(scheduler.now + ms, () => {
      if (life.isAlive) life.kill(death);
    });
  }

  #died(at: CrashPoint): void {
    const { world, oracle } = this.#options;
    this.crashes.set(at, (this.crashes.get(at) ?? 0) + 1);
    this.#doubts = this.doubts;
    this.#running = undefined;
    oracle.end();
    if (this.#startPlanned) return;
    this.#startPlanned = true;
    const { scheduler } = world;
    scheduler.at(scheduler.now + this.#downMs, () => {
      this.start();
    });
    this.#downMs = RESTART_MS;
  }

  /** A transport that tells the oracle when market data was received, and when it was requested. */
  #watched(life: string, transport: HttpTransport): HttpTransport {
    const { world, oracle, plan } = this.#options;
    const { hidesPrice, tearsOrders = false } = plan.traits;
    const torn = new TornOrders(plan);
    return {
      exchange: async (request) => {
        const askedAt = world.scheduler.now;
        const venueAskedAt = tearsOrders ? world.venueNow() : 0;
        const response = await transport.exchange(request);
        if (response.status === 200 && DATA_PATHS.test(request.url)) oracle.answered(life, askedAt);
        if (tearsOrders && request.method === 'GET' && ORDER_PATHS.test(request.url)) {
          return { ...response, body: torn.seen(response.body, venueAskedAt) };
        }
        return hidesPrice
          ? { ...response, body: response.body.replace(ORDER_PRICE, '"price":0,$1') }
          : response;
      },
      close: () => transport.close(),
    };
  }
}
