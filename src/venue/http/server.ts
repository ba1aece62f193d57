import type { CancelTimer, Timers } from '../../ports/clock.js';
import { SILENT } from '../../ports/log.js';
import type { FaultPlan } from '../faults/fault-plan.js';
import type { FaultPlanTerms } from '../../model/fault-rule.js';
import { adminApp } from './admin-app.js';
import { FaultAdapter } from './fault-adapter.js';
import { FaultyVenue } from './faulty-venue.js';
import { listen, type Listener } from './http-listener.js';
import { venueApp, type VenueAppOptions } from './venue-app.js';
import type { VenueHost } from './venue-host.js';

export interface VenueServerOptions extends VenueAppOptions {
  readonly timers: Timers;
  /** The port to listen on; 0 takes any free one. */
  readonly port: number;
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string | undefined;
  /** The port of the admin door, for this machine only; 0 takes any free one. `undefined`: no admin door. */
  readonly adminPort?: number | undefined;
  /** The faults between the venue and its clients; the admin door has none. `undefined`: no faults. */
  readonly faults?: FaultPlanTerms | undefined;
}

export interface VenueServer {
  readonly url: string;
  readonly port: number;
  /** `undefined` without an admin door. */
  readonly adminUrl: string | undefined;
  readonly venue: VenueHost;
  /** The fault plan, which reports what it did; `undefined` without one. */
  readonly faults: FaultPlan | undefined;
  /** Stops listening, ends every connection and stops the market. */
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
/** How often the market moves on without requests. */
const TICK_MS = 50;

/** Starts the simulated venue on a socket. Resolves once it listens; rejects if the address is not available. */
export async function startVenueServer(options: VenueServerOptions): Promise<VenueServer> {
  const { timers, port, adminPort, faults: terms, host = LOOPBACK, log = SILENT } = options;
  const app = venueApp(options);
  const { handle, host: venue, headers } = app;
  const faulty = terms === undefined ? undefined : new FaultyVenue({ ...options, terms, venue: app });
  const faults =
    faulty === undefined
      ? undefined
      : new FaultAdapter({ venue: faulty, headers, timers, speed: venue.clock.speed });
  const deliver = faults === undefined ? undefined : faults.deliver.bind(faults);
  const door = await listen({ handle, deliver, headers, port, host, log });
  const admin = adminPort === undefined ? undefined : await openAdmin(adminPort);
  const stopTicking = tick(timers, () => {
    venue.catchUp();
    faulty?.remember();
  });
  return {
    url: door.url,
    port: door.port,
    adminUrl: admin?.url,
    venue,
    faults: faulty?.plan,
    close: async () => {
      stopTicking();
      faults?.close();
      await Promise.all([door.close(), admin?.close()]);
    },
  };

  async function openAdmin(at: number): Promise<Listener> {
    try {
      const handle = adminApp({ venue, headers, log, faults: faulty?.plan });
      return await listen({ handle, headers, port: at, host: LOOPBACK, log });
    } catch (error) {
      await door.close();
      throw error;
    }
  }
}

/** Moves the market on regularly; the returned function stops that. */
function tick(timers: Timers, task: () => void): CancelTimer {
  let cancel: CancelTimer = timers.after(TICK_MS, next);
  return () => {
    cancel();
  };

  function next(): void {
    cancel = timers.after(TICK_MS, next);
    task();
  }
}
