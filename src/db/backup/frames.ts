import { BackupError } from './backup-error.ts';

/** How many bytes say how long a frame is. */
const LENGTH_BYTES = 4;

/** Bytes with their length in front of them. */
export function frame(bytes: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

export type FrameReader = {
  /** Reads this many bytes; null when the stream ends before them. */
  take(bytes: number): Promise<Buffer | null>;
  /**
   * The bytes of the next frame; null where the stream has ended. Throws BackupError for one that
   * is longer than `lengthMax`, or cut off.
   */
  next(lengthMax?: number): Promise<Buffer | null>;
};

export function createFrameReader(stream: AsyncIterable<Buffer>): FrameReader {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function take(bytes: number): Promise<Buffer | null> {
    const parts = [rest];
    for (let length = rest.length; length < bytes; ) {
      const { value, done } = await chunks.next();
      if (done) return null;
      parts.push(value);
      length += value.length;
    }
    const all = parts.length === 1 ? rest : Buffer.concat(parts);
    rest = all.subarray(bytes);
    return all.subarray(0, bytes);
  }

  return {
    take,
    async next(lengthMax = Number.POSITIVE_INFINITY) {
      const length = (await take(LENGTH_BYTES))?.readUInt32BE();
      if (length === undefined) return null;
      if (length > lengthMax) throw new BackupError('The backup was changed: take another one.');
      const bytes = await take(length);
      if (!bytes) throw new BackupError('The backup was cut off: take another one.');
      return bytes;
    },
  };
}
