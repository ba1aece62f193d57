/** A line of another pair than the one that is imported. Nothing else of it was looked at. */
export class OtherPair {
  readonly pair: string;

  constructor(pair: string) {
    this.pair = pair;
  }
}
