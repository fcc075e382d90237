import type { IncomingMessage, ServerResponse } from 'node:http';
import type { UploadError } from '#contract/upload-error.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { ERROR_CATALOGUE, isPanelError } from '#domain/errors/error-catalogue.ts';
import { FILE_BYTES_MAX } from '#domain/files/file-bytes-max.ts';
import type { Member, Origin, Principal } from '#services/api-keys/principal.ts';
import { JSON_MEDIA_TYPE, jsonText, sendJson } from '../http/json.ts';
import { readBody } from '../rest/body.ts';

/** A request for a file whose session was read and, for a change, whose origin was checked. */
export type PanelRequest = { query: URLSearchParams; principal: Principal; member: Member; origin: Origin };

/**
 * Each upload holds a file in memory, three times while it is inspected and sealed: a page sends
 * them one after the other.
 */
const AT_ONCE_PER_MERCHANT = 2;
const AT_ONCE = 12;

/** A client notices an answer within a round trip or two, and stops sending. */
const LINGER_MS = 1_000;

/**
 * Stores a file, and returns the body of the answer. Errors (DomainError): of the panel, with what
 * is wrong with the file as the param `issue`.
 */
export type KeepFile = (request: PanelRequest, file: { name: string; bytes: Buffer }) => Promise<object>;

/**
 * Takes a file: `PUT or POST /upload/<mode>/…?name=rg.jpg`, the file as the body. No more than the
 * greatest size is ever read. Answers 201 with what `keep` returns, or a rejection with what is
 * wrong with the file.
 */
export function createUploads(): (
  req: IncomingMessage,
  res: ServerResponse,
  request: PanelRequest,
  keep: KeepFile,
) => Promise<void> {
  const underway = new Map<string, number>();
  let inAll = 0;
  return async (req, res, request, keep) => {
    const { query } = request;
    const { merchantId } = request.member;
    const ofMerchant = underway.get(merchantId) ?? 0;
    if (ofMerchant >= AT_ONCE_PER_MERCHANT || inAll >= AT_ONCE) {
      res.setHeader('retry-after', '5');
      return reject(req, res, 429, 'busy');
    }
    underway.set(merchantId, ofMerchant + 1);
    inAll++;
    try {
      if (req.headers['content-encoding'] !== undefined) return reject(req, res, 415, 'encoded');
      const bytes = await readBody(req, FILE_BYTES_MAX);
      sendJson(res, 201, await keep(request, { name: query.get('name') ?? '', bytes }));
    } catch (error) {
      if (error instanceof DomainError && error.code === 'body_too_large') return reject(req, res, 413, 'too_large');
      if (!(error instanceof DomainError && isPanelError(error.code))) throw error;
      reject(req, res, ERROR_CATALOGUE[error.code].status, error.params?.issue ?? error.code);
    } finally {
      inAll--;
      const left = (underway.get(merchantId) ?? 1) - 1;
      if (left > 0) underway.set(merchantId, left);
      else underway.delete(merchantId);
    }
  };
}

function reject(req: IncomingMessage, res: ServerResponse, status: number, error: string): void {
  const body = { error } satisfies UploadError;
  if (req.complete) {
    sendJson(res, status, body);
    return;
  }
  // What is still on its way is not kept, and the next request needs another connection. It is
  // read for a moment all the same: a connection that is closed before loses the answer.
  const text = jsonText(body);
  res.writeHead(status, {
    'content-type': JSON_MEDIA_TYPE,
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  });
  res.write(text);
  req.resume();
  const timer = setTimeout(() => res.end(), LINGER_MS);
  res.once('close', () => clearTimeout(timer));
  req.once('end', () => res.end());
}
