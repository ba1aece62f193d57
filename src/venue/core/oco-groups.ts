/** What a group needs to know of an order. */
interface Member<O> {
  readonly terms: { readonly reduceOnly: boolean };
  readonly status: string;
  readonly special: { group: OcoGroup<O> | undefined } | undefined;
}

/** The orders of one account and pair with the same oco tag, working or waiting for their triggers. */
export interface OcoGroup<O> {
  readonly tag: string;
  /** Oldest first. */
  readonly members: O[];
  /** A member filled, or its trigger fired and it was accepted: no order may join any more. */
  isStruck: boolean;
}

/** Number of ended tags that are remembered per account and pair; older ones may be used again. */
const REMEMBERED = 100_000;

/**
 * The oco groups of one account and pair (`money.md` §4). The first fill of a member, or a member's trigger that fires
 * and is accepted, cancels the other members except reduce-only ones. These are canceled when a member completes or the
 * position is closed. A group ends with the first of these events, or when all of its members are done.
 */
export class OcoGroups<O extends Member<O>> {
  readonly #groups = new Map<string, OcoGroup<O>>();
  readonly #ended = new Set<string>();
  /** Reduce-only members that wait for their triggers. No other rule would end them together with the position. */
  readonly #waiting = new Set<O>();

  /** Whether the tag was used by a group that has ended: orders with it are refused. */
  hasEnded(tag: string): boolean {
    return this.#ended.has(tag);
  }

  join(order: O, tag: string): void {
    let group = this.#groups.get(tag);
    if (group === undefined) {
      group = { tag, members: [], isStruck: false };
      this.#groups.set(tag, group);
    }
    group.members.push(order);
    if (order.special !== undefined) order.special.group = group;
  }

  /** To be called when a member waits for its trigger. */
  wait(order: O): void {
    if (order.terms.reduceOnly) this.#waiting.add(order);
  }

  /** To be called when a member no longer waits. */
  wake(order: O): void {
    this.#waiting.delete(order);
  }

  /** To be called when a member is done. */
  leave(order: O, group: OcoGroup<O>): void {
    this.#waiting.delete(order);
    const at = group.members.indexOf(order);
    if (at >= 0) group.members.splice(at, 1);
    if (group.members.length === 0 && !group.isStruck) this.#close(group);
  }

  /**
   * A member filled, or its trigger fired and it was accepted. If that ended the member, call this afterwards. Ends
   * siblings oldest first.
   */
  strike(order: O, group: OcoGroup<O>, end: (sibling: O) => void): void {
    const isFirst = !group.isStruck;
    const isCompleted = order.status === 'completed';
    if (isFirst) {
      group.isStruck = true;
      this.#close(group);
    } else if (!isCompleted) return;
    for (const member of group.members.slice()) {
      if (member === order) continue;
      if (member.terms.reduceOnly ? isCompleted : isFirst) end(member);
    }
  }

  /** The waiting members that end when the position closes: reduce-only, and not alone in their group. */
  boundToPosition(): O[] {
    return [...this.#waiting].filter((order) => (order.special?.group?.members.length ?? 0) > 1);
  }

  #close({ tag }: OcoGroup<O>): void {
    this.#groups.delete(tag);
    this.#ended.add(tag);
    if (this.#ended.size <= REMEMBERED) return;
    for (const oldest of this.#ended) {
      this.#ended.delete(oldest);
      break;
    }
  }
}
