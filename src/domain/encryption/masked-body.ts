import { parseJson } from '../values/parse-json.ts';
import { cutText } from '../values/storable-text.ts';

/** What the masks of requests to us and of our calls of providers have in common. */

/** Stands for what is hidden. */
export const HIDDEN = '***';
/** What of a body is kept: all of a request, and of an answer about one transaction. */
export const MASKED_BODY_LENGTH_MAX = 4_096;
export const MASKED_TEXT_LENGTH_MAX = 300;
/** How deep a body is read. */
export const MASKED_DEPTH_MAX = 6;

/** A text of at most `lengthMax` characters; a longer one ends in `…`. */
export const cutMasked = (text: string, lengthMax: number): string =>
  text.length > lengthMax ? `${cutText(text, lengthMax)}…` : text;

/** A body's value; a text that is no JSON shows nothing. */
export function readMaskedBody(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? HIDDEN : value;
}
