/** Records as the wire names them; what a card reads has a type, every other field is there too. */
type Wire = Readonly<Record<string, unknown>>;

export interface WireFill extends Wire {
  readonly id: string;
  readonly price: number;
  readonly qty: number;
  readonly time: number;
}

export interface WireOrder extends Wire {
  readonly id: string;
  readonly status: string;
  readonly price: number;
  readonly qty_orig: number;
  readonly qty_filled: number;
  readonly qty_remaining: number;
  readonly time: number;
  readonly fills: readonly WireFill[];
}

export interface WireTrade extends Wire {
  readonly id: string;
  readonly price: number;
  readonly qty: number;
  readonly time: number;
}

export interface WirePosition extends Wire {
  readonly size: number;
  readonly stats: Wire & { readonly lp: number; readonly bankrupt: number };
}

export interface WireBalance extends Wire {
  readonly free: number;
  readonly locked: number;
  readonly margin: number;
  readonly withdrawn: number;
}

export interface WireTransfer extends Wire {
  readonly id: string;
  readonly status: string;
}

export interface WireDepth {
  readonly bids: readonly { readonly price: number; readonly qty: number }[];
  readonly asks: readonly { readonly price: number; readonly qty: number }[];
}

export type ByKey<T> = Readonly<Record<string, T>>;
