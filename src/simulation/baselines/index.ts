import { isKilled } from '../world/killed.js';
import { NO_INVARIANTS } from '../invariant.js';
import type { Subject } from '../subject.js';
import { CommonBot, type DoubtPolicy } from './bot.js';

const RETRIES = 3;

/** Like retrying HTTP libraries: sends a failed request again, up to three times. */
const BLIND_RETRY: DoubtPolicy = {
  name: 'blind-retry',
  async send(post) {
    for (let attempt = 0; attempt <= RETRIES; attempt++) {
      const posted = await post();
      if (posted.kind === 'accepted') return posted.orderId;
      if (posted.kind === 'refused') return undefined;
    }
    return undefined;
  },
};

/** Like Hummingbot and Freqtrade: an order without an answer has failed, and the strategy decides anew. */
const TIMEOUT_FAILED: DoubtPolicy = {
  name: 'timeout-failed',
  async send(post) {
    const posted = await post();
    return posted.kind === 'accepted' ? posted.orderId : undefined;
  },
};

/** Like common advice: searches the active orders once, and sends again if the order is not among them. */
const LOOK_AND_RESEND: DoubtPolicy = {
  name: 'look-and-resend',
  async send(post, look) {
    for (let attempt = 0; attempt <= RETRIES; attempt++) {
      const posted = await post();
      if (posted.kind === 'accepted') return posted.orderId;
      if (posted.kind === 'refused') return undefined;
      try {
        const found = await look();
        if (found !== undefined) return found;
      } catch (error) {
        if (isKilled(error)) throw error;
        // If the search fails, it acts as if the order were not there.
      }
    }
    return undefined;
  },
};

/** Common bots, which show that the oracle detects their errors. */
export const BASELINES: readonly Subject[] = [BLIND_RETRY, TIMEOUT_FAILED, LOOK_AND_RESEND].map((policy) => ({
  name: policy.name,
  promises: NO_INVARIANTS,
  survivesCrashes: false,
  start(ports, config) {
    const bot = new CommonBot(ports, config, policy);
    bot.run().catch((error: unknown) => {
      if (!isKilled(error)) throw error;
    });
    return bot;
  },
}));
