import type { IncomingMessage } from 'node:http';
import { DomainError } from '#domain/errors/domain-error.ts';
import { fieldIssue } from '#domain/errors/issues.ts';
import { parseExactJson } from '#domain/values/parse-exact-json.ts';
import { jsonText } from '../http/json.ts';
import { findDuplicateKey } from './find-duplicate-key.ts';

/** Far above any valid request, small enough that a flood of them fits in memory. */
export const BODY_BYTES_MAX = 64 * 1024;

/** With any parameters: some clients add a `profile` or end with a `;`. */
const JSON_TYPE = /^application\/json\s*(;[^,]*)?$/i;
/** JSON is UTF-8 (RFC 8259 8.1). */
const OTHER_CHARSET = /;\s*charset\s*=\s*(?!"?utf-8"?\s*(;|$))/i;

/**
 * Deeper than any input of the panel or the tools: metadata of a charge is five levels deep in a
 * message of the protocol. What is deeper could only exhaust the stack of a recursive function.
 */
export const DEPTH_MAX = 20;

/**
 * The JSON object that a request carries; an absent body is an empty one. Numbers that a double
 * would round are a RoundedNumber, which no field takes. `depthMax`: how many levels it may have.
 * Errors: body_too_large, unsupported_media_type, invalid_json.
 */
export async function readJsonObject(
  req: IncomingMessage,
  depthMax = Number.POSITIVE_INFINITY,
): Promise<Record<string, unknown>> {
  const bytes = await readBody(req, BODY_BYTES_MAX);
  const type = req.headers['content-type'];
  if (type === undefined ? bytes.length > 0 : !JSON_TYPE.test(type) || OTHER_CHARSET.test(type))
    throw new DomainError('unsupported_media_type');
  if (req.headers['content-encoding'] !== undefined) throw new DomainError('unsupported_media_type');
  if (bytes.length === 0) return {};
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new DomainError('invalid_json');
  if (depthMax !== Number.POSITIVE_INFINITY && isDeeper(value, depthMax)) throw new DomainError('invalid_json');
  return value as Record<string, unknown>;
}

/**
 * The JSON that was sent, as a text that every parser reads alike; an empty one where nothing was
 * sent. A number that a double would round is a text in it, which no field takes. Errors:
 * invalid_json (also for a name that is there twice).
 */
export function toExactJson(bytes: Buffer): string {
  if (bytes.length === 0) return '';
  const value = parseJson(bytes);
  if (isDeeper(value, DEPTH_MAX)) throw new DomainError('invalid_json');
  return jsonText(value);
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1)));

/**
 * The bytes of a request, at most `bytesMax`. Errors: body_too_large, bad_request (it broke off).
 */
export async function readBody(req: IncomingMessage, bytesMax: number): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > bytesMax) throw new DomainError('body_too_large');
  // A client that hung up before this causes no further event.
  if (req.destroyed) throw new DomainError('bad_request');
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    // Every request closes, and an error that nobody sees costs as much as any other.
    const brokeOff = () => {
      if (!req.readableEnded) reject(new DomainError('bad_request'));
    };
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > bytesMax) {
        req.pause();
        req.removeAllListeners('data');
        return reject(new DomainError('body_too_large'));
      }
      chunks.push(chunk);
    });
    req.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    req.on('error', brokeOff);
    req.on('close', brokeOff);
  });
}

/** A byte order mark is kept, and is then no JSON (RFC 8259 section 8.1: it must not be sent). */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parseJson(bytes: Buffer): unknown {
  const [text, value] = parse(bytes);
  const duplicate = findDuplicateKey(text);
  if (duplicate === null) return value;
  throw new DomainError('invalid_json', { details: [fieldIssue(duplicate, 'sent_twice')] });
}

function parse(bytes: Buffer): [text: string, value: unknown] {
  try {
    const text = utf8.decode(bytes);
    return [text, parseExactJson(text)];
  } catch {
    throw new DomainError('invalid_json');
  }
}
