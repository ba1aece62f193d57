/**
 * What a card takes besides a venue that answers public reads:
 * `key`: reads of an account · `write`: orders that it takes back itself · `quiet venue`: the suite's own venue, fresh,
 * because it expects exact figures · `two accounts` that trade with each other · `admin`: the admin door · `time`: a
 * clock that the suite moves.
 */
export type Need = 'key' | 'write' | 'quiet venue' | 'two accounts' | 'admin' | 'time';
