import type { Theme } from '../../../src/simulation/theme.js';
import type { Hunt, Mutant, Patch } from './mutant.js';

const NORMAL: Hunt = { mode: 'normal', hours: 1 };
/** Long enough for what is rare: somebody else's orders, and liquidations. */
const LONG: Hunt = { mode: 'normal', hours: 4 };
/** Infrastructure sends orders twice. */
const DOUBLED: Hunt = { mode: 'A1-broken', hours: 1 };
/** Orders are executed later than the bound that is relied on. */
const TOO_LATE: Hunt = { mode: 'A2-broken', hours: 1 };

/** The program keeps stops at the venue, beside its other orders. */
const STOPS: Hunt = { mode: 'normal', hours: 2, subject: 'stops' };
const STOPS_DOUBLED: Hunt = { mode: 'A1-broken', hours: 2, subject: 'stops' };
const STOPS_TOO_LATE: Hunt = { mode: 'A2-broken', hours: 2, subject: 'stops' };

const about = (theme: Theme, mode: Hunt['mode'] = 'normal'): Hunt => ({ mode, hours: 1, theme });

const at =
  (file: string) =>
  (find: string, replace: string): Patch => ({ file: `src/${file}`, find, replace });

const absence = at('execution/absence.ts');
const execution = at('execution/execution.ts');
const placing = at('execution/placing.ts');
const strays = at('execution/strays.ts');
const chronicle = at('execution/chronicle.ts');
const books = at('execution/books.ts');
const claim = at('execution/claim.ts');
const cut = at('execution/cut.ts');
const evidence = at('execution/pair-evidence.ts');
const exposureCheck = at('execution/exposure-check.ts');
const fillBook = at('execution/fill-book.ts');
const fingerprint = at('execution/fingerprint.ts');
const placeQueue = at('execution/place-queue.ts');
const list = at('execution/whole-list.ts');
const tracked = at('execution/tracked-order.ts');
const triggerLooks = at('execution/trigger-looks.ts');
const leftStop = at('execution/left-stop.ts');
const watch = at('execution/pair-watch.ts');
const intake = at('execution/order-intake.ts');
const bot = at('runner/bot.ts');
const gateway = at('runner/live-gateway.ts');
const guard = at('runner/risk-guard.ts');
const outcome = at('client/outcome.ts');
const poster = at('client/poster.ts');
const gate = at('gate/exposure.ts');

/** The lock of the books against a fill that they have. */
const BOOKED_TWICE: readonly Patch[] = [
  fillBook('if (this.has(id, time)) return false;', ''),
  fillBook('if (this.knows(id)) return false;', ''),
];

/** Wrong versions of the protocol of `src/execution` and what it stands on, by the part that they break. */
export const MUTANTS: readonly Mutant[] = [
  // write-ahead, and one POST
  {
    id: 'journal-after-send',
    meaning: 'an order is written down when its answer is there',
    patches: [
      placing(
        'let outcome: PlaceOutcome;',
        'let outcome: PlaceOutcome;\n    let body: LeavingOrder | undefined;',
      ),
      placing(
        '(request) => this.#vow(order, request)',
        '(request) => {\n        body = request;\n        return this.#refusalOf(order);\n      }',
      ),
      placing(
        '    // Given up by a stop that could not wait.\n',
        '    if (body !== undefined) this.#vow(order, body);\n',
      ),
    ],
    hunts: [NORMAL],
  },
  {
    id: 'prep-not-durable',
    meaning: 'an order leaves before its record is on the disk',
    patches: [chronicle("this.#journal.append(record, 'durable');", "this.#journal.append(record, 'lazy');")],
    hunts: [NORMAL],
  },
  {
    id: 'journal-failure-ignored',
    meaning: 'orders leave also when the journal cannot be written',
    patches: [
      placing(
        'return `the journal cannot be written: ${(error as Error).message}`;',
        'this.#options.log.error(String(error));',
      ),
      placing('if (failure !== undefined) return `the journal cannot be written: ${failure}`;', ''),
    ],
    hunts: [NORMAL],
  },
  {
    id: 'post-retried',
    meaning: 'an order whose answer was lost is posted again',
    patches: [
      poster(
        'answer = lossOf(error, laterVeto);',
        'answer = await transport\n' +
          "        .exchange({ method: 'POST', url: `${baseUrl}${endpoint.path}`, headers, body, " +
          "deadlineMs: endpoint.deadlineMs, lane: 'order' })\n" +
          '        .then(readAnswer, (again) => lossOf(again, undefined));',
      ),
    ],
    hunts: [NORMAL],
  },
  {
    id: 'last-look-not-repeated',
    meaning: 'what holds is asked when an order gets its turn, and not again before its first byte',
    patches: [
      placing(
        'if (refusal !== undefined) return refusal;\n    const { clock } = this.#options;',
        'void refusal;\n    const { clock } = this.#options;',
      ),
    ],
    hunts: [about('narrow')],
  },
  {
    id: 'not-one-at-a-time',
    meaning: 'orders of a pair leave while another has no answer yet',
    patches: [placeQueue('if (this.#busy) return;', '')],
    hunts: [NORMAL, TOO_LATE],
  },

  // what an answer proves
  {
    id: '503-trusted',
    meaning: 'every error of the venue is a refusal',
    patches: [
      outcome("isDefiniteRefusal(profile, answer.message) ? 'refused' : 'in-doubt'", "'refused' as const"),
    ],
    hunts: [NORMAL],
  },
  {
    id: 'timeout-trusted',
    meaning: 'an order without an answer was not sent',
    patches: [
      outcome(
        "return { kind: 'in-doubt', reason: answer.reason };",
        "return { kind: 'refused', reason: answer.reason };",
      ),
    ],
    hunts: [NORMAL],
  },
  {
    id: 'unreadable-trusted',
    meaning: 'an answer that cannot be read is a refusal',
    patches: [
      outcome(
        "return { kind: 'in-doubt', reason: answer.what };",
        "return { kind: 'refused', reason: answer.what };",
      ),
    ],
    hunts: [NORMAL],
  },

  // doubt
  {
    id: 'no-sync-gate',
    meaning: 'orders leave in whatever state the pair is',
    patches: [
      placing('if (!isAllowed || rests) return `${pair} is ${state}: ${reason}`;', ''),
      guard(
        "const permit = other === undefined ? permission : 'reduce-only';",
        "const permit = 'all' as const;",
      ),
    ],
    hunts: [NORMAL],
  },
  {
    id: 'doubt-is-synced',
    meaning: 'an order in doubt does not stop others',
    patches: [evidence('if (doubt !== undefined) {', 'if (false as boolean) {')],
    hunts: [NORMAL, TOO_LATE],
  },
  {
    id: 'no-late-wait',
    meaning: 'absence counts at once, not after the last moment of execution',
    patches: [absence('look.startedAt >= sentMono + lateMs', 'look.startedAt >= sentMono')],
    hunts: [NORMAL],
  },
  {
    id: 'timer-is-proof',
    meaning: 'an order that was not found within 10 s was not placed, whatever else is seen',
    patches: [
      absence(
        'const scans = this.#absentAt.get(key) ?? [];',
        'const age = this.#options.clock.monotonic() - sentMono;\n' +
          '    const scans = age > 10_000 ? [0, visibilityMs + 1] : [];',
      ),
    ],
    hunts: [NORMAL],
  },
  {
    id: 'one-scan',
    meaning: 'one scan proves absence',
    patches: [absence('last - first < Math.max(1, visibilityMs)', 'last - first < 0')],
    hunts: [about('last-moment')],
  },
  {
    id: 'active-orders-only',
    meaning: 'absence is looked for among active orders only',
    patches: [watch("thorough ? lists : ['active']", "['active']")],
    hunts: [NORMAL],
  },
  {
    id: 'three-way-no-position',
    meaning: 'fills and orders are compared, the position is not',
    patches: [evidence('if (position === cut.position) return', 'if (!Number.isNaN(cut.position)) return')],
    hunts: [NORMAL, TOO_LATE],
  },
  {
    id: 'three-way-no-fills',
    meaning: 'fills that nothing explains are no contradiction',
    patches: [evidence('if (unexplained !== undefined) {', 'if (false as boolean) {')],
    hunts: [about('visitor')],
  },
  {
    id: 'three-way-no-orders',
    meaning: 'orders that were filled more than their fills show are no contradiction',
    patches: [evidence('if (open !== undefined) {', 'if (false as boolean) {')],
    hunts: [about('torn')],
    equivalent:
      'An order whose record says that more was filled than its fills show lacks these fills in the books as well. They have moved the position, which by A3 shows it at the latest T_vis later and then contradicts the books; absence needs a second scan that starts after that. An order in doubt has no record yet, so it is never the one that this rule names. Where two such orders hide each other in the sum, the sum is what the venue holds. What is left of the rule is its message. Without the position as well: no-three-way.',
  },
  {
    id: 'no-three-way',
    meaning: 'neither fills nor orders nor the position are compared',
    patches: [
      evidence('if (position === cut.position) return', 'if (!Number.isNaN(cut.position)) return'),
      evidence('if (unexplained !== undefined) {', 'if (false as boolean) {'),
      evidence('if (open !== undefined) {', 'if (false as boolean) {'),
    ],
    hunts: [NORMAL],
  },
  {
    id: 'unstable-cut-believed',
    meaning: 'a cut counts although the venue moved while it was read',
    patches: [
      cut(
        'stable: lotsOf(market, first) === position && (after === undefined || agree(before.orders, after.orders)),',
        'stable: lotsOf(market, first) === position || after === undefined || agree(before.orders, after.orders) || true,',
      ),
    ],
    hunts: [about('opening')],
  },
  {
    id: 'full-list-believed',
    meaning: 'a list that may be cut off is taken for whole',
    patches: [
      cut('lack: before.lack ?? fills.lack ?? after?.lack,', 'lack: undefined,'),
      list('if (page.length < limit) return', 'if (page.length <= limit) return'),
    ],
    hunts: [about('crowd')],
  },
  {
    id: 'stale-cut-believed',
    meaning: 'what was agreed once holds for ever',
    patches: [
      evidence('clock.monotonic() - this.#agreedAt > staleMs', 'clock.monotonic() - this.#agreedAt > 1e12'),
    ],
    hunts: [NORMAL],
  },
  {
    id: 'foreign-orders-ignored',
    meaning: 'absence is proven beside orders that nobody knows',
    patches: [absence('if (obstacle !== undefined) {', 'if (false as boolean) {')],
    hunts: [about('garbled')],
  },

  // whose order it is
  {
    id: 'narrow-window',
    meaning: 'an order is ours only when it was made within a second of its sending',
    patches: [
      fingerprint('record.time >= sentAt - SKEW_MS &&', 'Math.abs(record.time - sentAt) <= 1_000 &&'),
    ],
    hunts: [NORMAL],
  },
  {
    id: 'price-for-original',
    meaning: 'an order is known by the price it shows, not by the one it was sent with',
    patches: [fingerprint('near(record.priceOriginal,', 'near(record.price,')],
    hunts: [NORMAL],
  },
  {
    id: 'no-quantity-tag',
    meaning: 'orders that cannot be told apart are sent beside one another',
    patches: [
      execution(
        'echo === undefined ? this.#placing.distinct(terms) : terms',
        'echo === undefined ? terms : terms',
      ),
    ],
    hunts: [about('alike', 'A2-broken')],
  },
  {
    id: 'no-tombstone-watch',
    meaning: 'what was given up is not looked for any more',
    patches: [
      claim(
        "const givenUp = alike.filter(({ stage }) => stage === 'not-placed' || stage === 'disputed');",
        'const givenUp: readonly BookedIntent[] = [];',
      ),
      claim(
        'if (intent?.pair !== market.pair) return undefined;',
        "if (intent?.pair !== market.pair || intent.stage === 'not-placed') return undefined;",
      ),
    ],
    hunts: [TOO_LATE],
  },
  {
    id: 'no-tombstone-reserve',
    meaning: 'what was given up counts in no exposure',
    patches: [watch('export const RESERVE_MS = 600_000;', 'export const RESERVE_MS = 0;')],
    hunts: [TOO_LATE],
  },
  {
    id: 'no-twins',
    meaning: 'a second order of an intent is not looked for',
    patches: [
      claim("if (orderId !== undefined) return 'surplus';", "if (orderId !== undefined) return 'own';"),
      claim(
        'if (intent?.pair !== market.pair) return undefined;',
        'if (intent?.pair !== market.pair || intent.orderId !== undefined) return undefined;',
      ),
    ],
    hunts: [DOUBLED],
  },
  {
    id: 'strays-left-alone',
    meaning: 'orders that nobody wants are not canceled',
    patches: [
      watch('return (role !== undefined && !guards) || (halt', 'return (role === null && guards) || (halt'),
      intake('    else this.#events.onUnwanted(stray);\n', '\n'),
      strays('if (!order.guards) this.#onUnwanted(order);', ''),
    ],
    hunts: [NORMAL],
  },
  {
    id: 'strays-are-synced',
    meaning: 'the pair is SYNCED while orders of an earlier life are at the venue',
    patches: [
      evidence('if (recovered.length > 0) {', 'if (false as boolean) {'),
      evidence('if (strays.length > 0) return', 'if (false as boolean) return'),
      evidence('if (doubt !== undefined) {', 'if (doubt !== undefined && doubt.role === undefined) {'),
    ],
    hunts: [about('hasty'), NORMAL],
  },

  // fills, positions, ends
  {
    id: 'no-fill-dedup',
    meaning: 'a fill that is read again counts again',
    patches: [tracked('if (this.#fillIds.has(shown.id)) continue;', '')],
    hunts: [NORMAL],
  },
  {
    id: 'no-booked-fill-dedup',
    meaning: 'a fill that is told again by another list or life is booked again',
    patches: BOOKED_TWICE,
    hunts: [NORMAL],
    equivalent:
      'Under A1 to A5 nobody books a fill twice: an order knows its fills by their ids, those that an earlier life has booked among them, and a fill of nobody is looked up in the books before it is written down. The two meet only when a fill of an own order was taken for somebody else’s before its order showed, which takes longer than T_late and T_vis together: A2 and A3 must both be false. For that case the lock stays. Without the other locks, too: fills-booked-by-each-life.',
  },
  {
    id: 'fills-cursor-by-orders',
    meaning: 'fills are read from the newest known one on, though single orders made it known',
    patches: [evidence('Math.min(fills.wholeTo, oldestQuestion)', 'Math.min(fills.newest, oldestQuestion)')],
    hunts: [about('visitor'), LONG],
  },
  {
    id: 'unknown-status-is-end',
    meaning: 'a status that nobody knows ends an order',
    patches: [
      tracked(
        "const final = record.status === 'CANCELLED' || record.status === 'COMPLETED';",
        "const final = record.status !== 'ACTIVE';",
      ),
      tracked(
        "if (record.status === 'CANCELLED' && addsUp) {",
        "if (record.status !== 'ACTIVE' && addsUp) {",
      ),
    ],
    hunts: [NORMAL],
  },
  {
    id: 'end-before-its-fills',
    meaning: 'a cancellation is believed before its fills add up',
    patches: [
      tracked("if (record.status === 'CANCELLED' && addsUp) {", "if (record.status === 'CANCELLED') {"),
    ],
    hunts: [about('torn')],
    equivalent:
      'A cancellation counts only when it is still the same T_vis after it was first seen, and by A3 a read that starts then shows every fill that came before the cancellation: its fills add up, or it has a new quantity and waits again. The rule is for venues that break A3; without the wait as well: end-at-once.',
  },
  {
    id: 'end-not-confirmed',
    meaning: 'a cancellation is believed at its first sight, though fills may show later',
    patches: [tracked('if (this.#confirmMs > 0 && age < this.#confirmMs) return news;', 'void age;')],
    hunts: [about('torn')],
  },
  {
    id: 'end-at-once',
    meaning: 'a cancellation is believed at its first sight, whatever its fills say',
    patches: [
      tracked("if (record.status === 'CANCELLED' && addsUp) {", "if (record.status === 'CANCELLED') {"),
      tracked('if (this.#confirmMs > 0 && age < this.#confirmMs) return news;', 'void age;'),
    ],
    hunts: [about('torn')],
  },
  {
    id: 'old-records-believed',
    meaning: 'a record that shows less than is known is taken in',
    patches: [tracked('if (venueFilled < this.#filled) return [];', '')],
    hunts: [about('torn')],
    equivalent:
      'Fills are known by their ids and what was filled never becomes less, so a record that shows less adds nothing. It cannot end the order either: its fills do not add up to more than is booked already. At worst it makes a new end be waited for, or, where a venue hides the fills of orders, says that the order is in doubt until the next read.',
  },
  {
    id: 'external-fills-swallowed',
    meaning: 'a fill of nobody is dropped',
    patches: [evidence('      this.#book(record);\n', '')],
    hunts: [about('visitor')],
  },
  {
    id: 'position-of-venue-believed',
    meaning: 'where own fills and the position differ the position is right',
    patches: [
      evidence(
        "return { kind: 'position', text };",
        'const time = chronicle.books.fills(pair)?.newest ?? 0;\n' +
          "    chronicle.note({ kind: 'checkpoint', pair, position: cut.position, time, fillIds: [], by: '', reason: text });\n" +
          '    return undefined;',
      ),
    ],
    hunts: [NORMAL],
  },
  {
    id: 'polled-position-believed',
    meaning: 'a session begins with the position that one read shows, not with that of the books',
    patches: [
      bot(
        'return booked === undefined || lots === booked ||',
        'return booked !== lots || lots === booked ||',
      ),
      bot(
        'return isLive ? event : asBooked(event, gateway, core.lastPrice);',
        'return isLive || asBooked === undefined ? event : event;',
      ),
    ],
    hunts: [about('opening'), NORMAL],
  },

  // restart
  {
    id: 'sent-forgotten-at-start',
    meaning: 'an order that was on its way when its life ended was not placed',
    patches: [
      strays(
        "outcome: 'in-doubt', reason }, 'durable');\n      }",
        "outcome: 'not-sent', reason }, 'durable');\n        continue;\n      }",
      ),
    ],
    hunts: [NORMAL],
  },
  {
    id: 'live-forgotten-at-start',
    meaning: 'orders of an earlier life are left to themselves',
    patches: [strays('of books.openOrders(pair)) {', 'of books.openOrders(pair).slice(0, 0)) {')],
    hunts: [NORMAL],
  },
  {
    id: 'late-wait-not-restarted',
    meaning: 'an order of an earlier life is late enough at once',
    patches: [
      strays(
        'order.sentMono = this.#options.clock.monotonic();\n      this.#own.add(order);',
        'order.sentMono = -1e9;\n      this.#own.add(order);',
      ),
    ],
    hunts: [about('hasty')],
  },
  {
    id: 'booked-fills-forgotten-at-start',
    meaning: 'fills that an earlier life has booked are told again',
    patches: [strays('for (const { id, lots } of fills) order.alreadyBooked(id, lots);', 'void fills;')],
    hunts: [about('operator')],
    equivalent:
      'An order of an earlier life then shows its booked fills as if they were new, but nobody is told of what the books have already, and the books refuse it: the journal gets the record a second time, and nothing else differs. Until its first read the order counts with all that it asked for, which is more and never less. Without these locks, too: fills-booked-by-each-life.',
  },
  {
    id: 'fills-booked-by-each-life',
    meaning: 'each life books the fills of an order that it finds anew',
    patches: [
      ...BOOKED_TWICE,
      strays('for (const { id, lots } of fills) order.alreadyBooked(id, lots);', 'void fills;'),
    ],
    hunts: [NORMAL],
  },
  {
    id: 'halt-forgotten-at-start',
    meaning: 'a halt ends with its life',
    patches: [
      books(
        'this.#session = record.session;\n        break;',
        'this.#session = record.session;\n        this.#halt = undefined;\n        break;',
      ),
    ],
    hunts: [about('operator')],
  },
  {
    id: 'quarantine-forgotten-at-start',
    meaning: 'what an operator has to look at is forgotten with its life',
    patches: [
      books(
        'this.#session = record.session;\n        break;',
        'this.#session = record.session;\n        this.#quarantines.clear();\n        break;',
      ),
    ],
    hunts: [about('visitor')],
  },

  // limits
  {
    id: 'liquidation-does-not-halt',
    meaning: 'a liquidation is a fill like any other',
    patches: [evidence('if (liquidation) {', 'if (liquidation && pair === undefined) {')],
    hunts: [LONG],
  },
  {
    id: 'data-age-ignored',
    meaning: 'orders add risk on old data',
    patches: [gateway('stops: [data.reason, () => pace.reason, ...(options.stops ?? [])],', 'stops: [],')],
    hunts: [about('blind')],
  },
  {
    id: 'exposure-without-doubts',
    meaning: 'orders whose answer is not there count in no exposure',
    patches: [
      placing("each.stage !== 'queued')", "each.stage === 'live')"),
      gate(
        "      case 'in-doubt':\n",
        "      case 'in-doubt':\n        this.#work(order.terms, -order.leaves);\n        order.leaves = 0;\n        break;\n",
      ),
    ],
    hunts: [NORMAL, TOO_LATE],
    equivalent:
      'While an order of a pair has no answer no other of that pair is sent, and while one is in doubt the pair is SUSPECT, where nothing that adds risk leaves: no order is ever checked beside one whose answer is not there. Without these gates: not-one-at-a-time, no-sync-gate, doubt-is-synced.',
  },
  {
    id: 'exposure-without-live-orders',
    meaning: 'orders that rest count in no exposure',
    patches: [
      placing("each.stage !== 'queued')", "each.stage === 'in-doubt')"),
      gate('this.#work(terms, terms.lots);', 'this.#work(terms, 0);'),
    ],
    hunts: [NORMAL],
  },
  {
    id: 'exposure-of-one-fill',
    meaning: 'of the orders that may fill only the largest counts',
    patches: [
      exposureCheck(
        'orders.reduce((sum, other) => sum + other.terms.lots, 0);',
        'orders.reduce((most, other) => Math.max(most, other.terms.lots), 0);',
      ),
      gate('this.#work(terms, terms.lots);', 'this.#work(terms, 0);'),
    ],
    hunts: [NORMAL],
  },

  // stops that wait at the venue
  {
    id: 'doubt-without-triggers',
    meaning: 'an order in doubt that waits for its trigger is looked for among all others only',
    patches: [watch("seesTriggers ? ['triggers', ...named] : named", 'named')],
    hunts: [STOPS],
  },
  {
    id: 'stop-twin-not-sought',
    meaning: 'the list of triggers is read only while an order with a trigger is open',
    patches: [
      triggerLooks('if (this.#settledAt !== undefined) return true;', ''),
      triggerLooks('now() - BURIED_MS', 'now() + BURIED_MS'),
    ],
    hunts: [STOPS_DOUBLED, STOPS_TOO_LATE],
  },
  {
    id: 'stop-closes-last',
    meaning: 'limits count on a stop to close nothing before the orders beside it fill',
    patches: [gate('held < 0 ? Math.min(0, held + reducing) : held', 'held')],
    hunts: [STOPS],
  },
  {
    id: 'left-stop-for-ever',
    meaning: 'a stop that an earlier life left is never canceled, and the pair is SYNCED beside it',
    patches: [
      leftStop('if (!canReduce(side, position)) return false;', 'if (side !== undefined) return true;'),
    ],
    hunts: [STOPS],
  },
];
