import type { Delivery, Notice, Notifier } from '../../../src/daemon/alerts/notifier.js';

/** A receiver that remembers what it got, and answers as it is told to. */
export class Receiver implements Notifier {
  readonly name: string;
  readonly notices: Notice[] = [];
  readonly attempts: { readonly title: string; readonly at: number }[] = [];
  /** The next answers; then it takes everything. */
  readonly answers: (Delivery | Promise<Delivery>)[] = [];
  isClosed = false;
  readonly #now: () => number;

  constructor(now: () => number = () => 0, name = 'receiver') {
    this.name = name;
    this.#now = now;
  }

  get titles(): readonly string[] {
    return this.notices.map(({ title }) => title);
  }

  async send(notice: Notice): Promise<Delivery> {
    this.attempts.push({ title: notice.title, at: this.#now() });
    const answer = (await this.answers.shift()) ?? ({ kind: 'delivered' } as const);
    if (answer.kind === 'delivered') this.notices.push(notice);
    return answer;
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}
