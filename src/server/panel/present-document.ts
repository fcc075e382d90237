import type { KycDocumentOutput } from '#contract/kyc/kyc.ts';

/** A document of a verification as pages see it. */
export const presentDocument = (document: {
  id: string;
  kind: KycDocumentOutput['kind'];
  fileName: string;
  mediaType: string;
  bytes: number;
  uploadedAt: Date;
}): KycDocumentOutput => ({
  id: document.id,
  kind: document.kind,
  file_name: document.fileName,
  media_type: document.mediaType,
  bytes: document.bytes,
  uploaded_at: document.uploadedAt.toISOString(),
});
