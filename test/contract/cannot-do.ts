/** Thrown by a door that cannot do what a card asks of it; the card is then skipped there, with this reason. */
export class CannotDo extends Error {
  override readonly name = 'CannotDo';
}
