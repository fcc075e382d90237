import type { z } from 'zod';
import type { kycDocumentOutput } from '#contract/kyc/kyc.ts';

type KycDocument = z.output<typeof kycDocumentOutput>;

/** A document of a verification as pages see it. */
export const presentDocument = (document: {
  id: string;
  kind: KycDocument['kind'];
  fileName: string;
  bytes: number;
}): KycDocument => ({
  id: document.id,
  kind: document.kind,
  file_name: document.fileName,
  bytes: document.bytes,
});
