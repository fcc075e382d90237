/** Bytes of the log since its beginning. */
export type LogPosition = bigint;

/** How the server's log is cut into files. */
export type LogLayout = { segmentBytes: bigint; timeline: string };

/** PostgreSQL counts segments in groups of 4 GB. */
const GROUP_BYTES = 2n ** 32n;
const NAME_PART_LENGTH = 8;

const hex = (number: bigint) => number.toString(16).toUpperCase().padStart(NAME_PART_LENGTH, '0');

/** The name of the segment that holds the byte at `position`. */
export function segmentAt(position: LogPosition, { segmentBytes, timeline }: LogLayout): string {
  const perGroup = GROUP_BYTES / segmentBytes;
  const number = position / segmentBytes;
  return timeline + hex(number / perGroup) + hex(number % perGroup);
}

/** The name of the segment after another one. */
export function nextSegment(name: string, segmentBytes: bigint): string {
  const [timeline, group, number] = [0, 1, 2].map((at) =>
    name.slice(at * NAME_PART_LENGTH, (at + 1) * NAME_PART_LENGTH),
  ) as [string, string, string];
  const perGroup = GROUP_BYTES / segmentBytes;
  const index = BigInt(`0x${group}`) * perGroup + BigInt(`0x${number}`) + 1n;
  return timeline + hex(index / perGroup) + hex(index % perGroup);
}

/** PostgreSQL writes a position as two halves: `16/B374D848`. */
export function parsePosition(text: string): LogPosition {
  const [group = '0', offset = '0'] = text.split('/');
  return BigInt(`0x${group}`) * GROUP_BYTES + BigInt(`0x${offset}`);
}
