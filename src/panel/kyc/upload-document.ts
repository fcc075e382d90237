import type { UploadError } from '#contract/kyc/kyc.ts';
import type { KycDocumentKind } from '#domain/kyc/kyc.ts';

/**
 * Longer than a phone takes for the largest file at the edge of reception; the server has its own
 * patience.
 */
const TIMEOUT_MS = 5 * 60_000;

/**
 * Sends a document; `onProgress` hears how much of it has left, from 0 to 1. Gives what was wrong
 * with it, null when it was taken. An XMLHttpRequest, because fetch does not tell how far an upload
 * is.
 */
export function uploadDocument(
  to: { mode: 'live' | 'test'; kind: KycDocumentKind },
  file: File,
  onProgress: (share: number) => void,
): Promise<string | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const query = new URLSearchParams({ kind: to.kind, name: file.name });
    request.open('POST', `/upload/${to.mode}/kyc?${query}`);
    request.timeout = TIMEOUT_MS;
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const { error } = (request.response ?? {}) as Partial<UploadError>;
      resolve(request.status === 201 ? null : (error ?? 'other'));
    };
    request.onerror = () => resolve('network');
    request.ontimeout = () => resolve('network');
    request.send(file);
  });
}
