import type { ServerResponse } from 'node:http';
import { DomainError } from '#domain/errors/domain-error.ts';
import { ERROR_CATALOGUE, isPanelError } from '#domain/errors/error-catalogue.ts';
import { sendJson } from '../http/json.ts';
import type { PanelRequest } from './uploads.ts';

type UploadedFile = { fileName: string; mediaType: string; bytes: Buffer };

/** Reads a file that was uploaded. Errors (DomainError): of the panel. */
export type ReadFile = (request: PanelRequest) => Promise<UploadedFile>;

/** Sends a member a file that was uploaded: `GET /download/<mode>/…`. */
export async function sendUploadedFile(res: ServerResponse, request: PanelRequest, read: ReadFile): Promise<void> {
  try {
    sendFile(res, await read(request));
  } catch (error) {
    if (!(error instanceof DomainError && isPanelError(error.code))) throw error;
    sendJson(res, ERROR_CATALOGUE[error.code].status, { error: error.code });
  }
}

/**
 * Sends a file as a download, never as a page: uploaded content must not run where the session is.
 */
export function sendFile(res: ServerResponse, { fileName, mediaType, bytes }: UploadedFile): void {
  res.setHeader('cache-control', 'private, no-store');
  res.setHeader('content-security-policy', "sandbox; default-src 'none'");
  res.setHeader('cross-origin-resource-policy', 'same-origin');
  res.setHeader('x-content-type-options', 'nosniff');
  res.setHeader('content-type', mediaType);
  res.setHeader('content-disposition', attachment(fileName));
  res.setHeader('content-length', bytes.length);
  res.end(bytes);
}

/**
 * RFC 6266, section 4.3: a plain name for everyone, the right one percent-encoded (RFC 8187) for
 * clients that can read it.
 */
function attachment(fileName: string): string {
  const plain =
    fileName
      .normalize('NFD')
      .replace(/[^A-Za-z0-9 ._-]/g, '')
      .trim() || 'documento';
  const encoded = encodeURIComponent(fileName).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
