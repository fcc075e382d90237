import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { kycDocumentOutput, type UploadError } from '#contract/kyc/kyc.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { ERROR_CATALOGUE, isPanelError } from '#domain/errors/error-catalogue.ts';
import { DOCUMENT_BYTES_MAX, isKycDocumentKind } from '#domain/kyc/kyc.ts';
import type { Member, Origin, Principal } from '#services/api-keys/principal.ts';
import type { Deps } from '#services/deps.ts';
import { addKycDocument } from '#services/kyc/manage-kyc-documents.ts';
import { JSON_MEDIA_TYPE, jsonText, sendJson } from '../http/json.ts';
import { readBody } from '../rest/body.ts';
import { presentDocument } from './present-document.ts';

/**
 * What the panel's handlers know of a request for a file: the session was read, and for a change
 * its origin checked.
 */
export type PanelRequest = { query: URLSearchParams; principal: Principal; member: Member; origin: Origin };

/**
 * Each holds a file in memory, three times while it is inspected and sealed: a page sends them one
 * after the other.
 */
const AT_ONCE_PER_MERCHANT = 2;
const AT_ONCE = 12;

/** A client notices an answer within a round trip or two, and stops sending. */
const LINGER_MS = 1_000;

/**
 * Takes a document of a verification: `PUT or POST /upload/<mode>/kyc?kind=identity&name=rg.jpg`,
 * the file as the body. No more than the greatest size is ever read. Answers 201 with the document,
 * or a rejection with what is wrong with the file.
 */
export function createUploads(
  deps: Deps,
): (req: IncomingMessage, res: ServerResponse, request: PanelRequest) => Promise<void> {
  const underway = new Map<string, number>();
  let inAll = 0;
  return async (req, res, { query, member, origin }) => {
    const { merchantId } = member;
    const ofMerchant = underway.get(merchantId) ?? 0;
    if (ofMerchant >= AT_ONCE_PER_MERCHANT || inAll >= AT_ONCE) {
      res.setHeader('retry-after', '5');
      return reject(req, res, 429, 'busy');
    }
    underway.set(merchantId, ofMerchant + 1);
    inAll++;
    try {
      const kind = query.get('kind') ?? '';
      if (!isKycDocumentKind(kind)) return reject(req, res, 400, 'kind');
      if (req.headers['content-encoding'] !== undefined) return reject(req, res, 415, 'encoded');
      const bytes = await readBody(req, DOCUMENT_BYTES_MAX);
      const name = query.get('name') ?? '';
      const document = await addKycDocument(deps, { member, origin }, { kind, name, bytes });
      sendJson(res, 201, z.encode(kycDocumentOutput, presentDocument(document)));
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
