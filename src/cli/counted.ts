/** A number with its noun, as in "1 transaction". `nouns`: a plural that does not just add an s. */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`;
