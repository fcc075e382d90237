import type { z } from 'zod';
import type { kycDocumentOutput } from '#contract/kyc/kyc.ts';

type KycDocument = z.output<typeof kycDocumentOutput>;

/** A document of a verification as pages see it. */
export const presentDocument = (document: {
  id: string;
  kind: KycDocument['kind'];
  fileName: string;
  mediaType: string;
  bytes: number;
  uploadedAt: Date;
}): KycDocument => ({
  id: document.id,
  kind: document.kind,
  file_name: document.fileName,
  media_type: document.mediaType,
  bytes: document.bytes,
  uploaded_at: document.uploadedAt,
});
