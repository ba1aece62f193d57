import { Message } from 'apache-arrow';

/** Most bytes of padding that a writer may put after a buffer. */
const MOST_PADDING_BYTES = 63;

export interface BatchHeader {
  readonly length: number;
  readonly nodes: readonly { readonly length: number; readonly nullCount: number }[];
  readonly buffers: readonly { readonly offset: number; readonly length: number }[];
  readonly compression: unknown;
}

/** Field numbers and message kinds of Arrow's flatbuffers, from Message.fbs and Schema.fbs. */
const MESSAGE = { headerType: 1, header: 2, customMetadata: 4 } as const;
const SCHEMA = { kind: 1, fields: 1, customMetadata: 2 } as const;
const FIELD = { children: 5, customMetadata: 6 } as const;
const RECORD_BATCH = { kind: 3, nodes: 1, buffers: 2, variadicBufferCounts: 4 } as const;

/** A schema or batch message; `undefined` for other bytes, e.g. zeros where bytes never reached the disk. */
export function decodeMessage(metadata: Uint8Array): Message | undefined {
  try {
    if (!isBounded(metadata)) return undefined;
    const message = Message.decode(metadata);
    message.header();
    return message.bodyLength >= 0 && Number.isSafeInteger(message.bodyLength) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a batch has as many rows as its first column, and its buffers follow each other and fill its body. */
export function areLaidOut(message: Message): boolean {
  const { buffers, nodes, length: rows } = message.header() as BatchHeader;
  if (nodes[0]?.length !== rows) return false;
  let end = 0;
  const follows = (offset: number) => offset >= end && offset - end <= MOST_PADDING_BYTES;
  for (const { offset, length } of buffers) {
    if (!follows(offset) || length < 0) return false;
    end = offset + length;
  }
  return follows(message.bodyLength);
}

/**
 * Whether no list claims more items than there are bytes. The decoder believes such counts and would allocate a billion
 * items.
 */
function isBounded(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** Offset of a field of a table; `undefined` where the table lacks it. */
  const fieldAt = (table: number, field: number): number | undefined => {
    const vtable = table - view.getInt32(table, true);
    const slot = 4 + 2 * field;
    const offset = slot < view.getUint16(vtable, true) ? view.getUint16(vtable + slot, true) : 0;
    return offset === 0 ? undefined : table + offset;
  };
  const follow = (at: number) => at + view.getUint32(at, true);
  const tablesOf = (table: number, field: number): number[] => {
    const at = fieldAt(table, field);
    const list = at === undefined ? undefined : follow(at);
    if (list === undefined) return [];
    return Array.from({ length: view.getUint32(list, true) }, (_, item) => follow(list + 4 + 4 * item));
  };
  const fits = (table: number, ...fields: readonly number[]): boolean =>
    fields.every((field) => {
      const at = fieldAt(table, field);
      return at === undefined || view.getUint32(follow(at), true) <= bytes.length;
    });
  const fieldsFit = (table: number, field: number): boolean =>
    fits(table, field) &&
    tablesOf(table, field).every((one) => fits(one, FIELD.customMetadata) && fieldsFit(one, FIELD.children));
  const message = view.getUint32(0, true);
  const kindAt = fieldAt(message, MESSAGE.headerType);
  const headerAt = fieldAt(message, MESSAGE.header);
  if (kindAt === undefined || headerAt === undefined || !fits(message, MESSAGE.customMetadata)) return false;
  const header = follow(headerAt);
  switch (view.getUint8(kindAt)) {
    case SCHEMA.kind:
      return fits(header, SCHEMA.customMetadata) && fieldsFit(header, SCHEMA.fields);
    case RECORD_BATCH.kind:
      return fits(header, RECORD_BATCH.nodes, RECORD_BATCH.buffers, RECORD_BATCH.variadicBufferCounts);
    default:
      return false;
  }
}
