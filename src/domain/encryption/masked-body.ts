import { parseJson } from '../values/parse-json.ts';
import { cutText } from '../values/storable-text.ts';

/** Shared by the masks of requests to us and of our calls to providers. */

/** Stands for what is hidden. */
export const HIDDEN = '***';
/**
 * How many characters of a body are kept: enough for a whole request, and for an answer about one
 * transaction.
 */
export const MASKED_BODY_LENGTH_MAX = 4_096;
export const MASKED_TEXT_LENGTH_MAX = 300;
/** How many levels of a body are read. */
export const MASKED_DEPTH_MAX = 6;

/** Returns a text cut to `lengthMax` characters, with `…` after a cut. */
export const cutMasked = (text: string, lengthMax: number): string =>
  text.length > lengthMax ? `${cutText(text, lengthMax)}…` : text;

/** Parses a body to be masked; a text that is not JSON is hidden whole. */
export function readMaskedBody(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? HIDDEN : value;
}
