import { promisify } from 'node:util';
import { gzip as pack } from 'node:zlib';

const packed = promisify(pack);

/** Packs in a thread of its own. */
export const gzip = (bytes: Uint8Array): Promise<Uint8Array> => packed(bytes);
