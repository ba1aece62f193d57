import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/**
 * Unpacks a stream of gzip. By zlib, because the web's DecompressionStream takes a second member, which many tools
 * append, for junk from Node 22 on.
 */
export async function* gunzip(
  packed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const source = Readable.from(packed, { objectMode: true });
  const unpacked = createGunzip();
  source.once('error', (error) => unpacked.destroy(error));
  source.pipe(unpacked);
  try {
    for await (const bytes of unpacked) yield bytes as Uint8Array;
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}
