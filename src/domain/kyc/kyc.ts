/** The kinds of merchants, on which depends what a verification asks for. */

export const KYC_KINDS = ['company', 'person'] as const;
export type KycKind = (typeof KYC_KINDS)[number];

export const KYC_DOCUMENT_KINDS = ['company', 'identity', 'address', 'selfie'] as const;
/**
 * `company`: contrato social or its equal; `identity`: of the representative or the person;
 * `address`: proof of it.
 */
export type KycDocumentKind = (typeof KYC_DOCUMENT_KINDS)[number];

/**
 * In the order in which they are asked for. A company's papers name its representative; a person is
 * recognised by a picture of their face.
 */
export const REQUIRED_DOCUMENTS = {
  company: ['company', 'identity', 'address'],
  person: ['identity', 'address', 'selfie'],
} as const satisfies Record<KycKind, readonly KycDocumentKind[]>;

export const isKycDocumentKind = (text: string): text is KycDocumentKind =>
  (KYC_DOCUMENT_KINDS as readonly string[]).includes(text);

/** Returns the documents that a kind requires and that are not among `there`. */
export const missingDocuments = (kind: KycKind, there: readonly KycDocumentKind[]): KycDocumentKind[] =>
  REQUIRED_DOCUMENTS[kind].filter((required) => !there.includes(required));

/** The most files of one kind of document: front, back, and one more page. */
export const DOCUMENTS_PER_KIND_MAX = 3;
