/** What a verification asks for, by the kind of merchant. */

export const KYC_KINDS = ['company', 'person'] as const;
export type KycKind = (typeof KYC_KINDS)[number];

export const KYC_DOCUMENT_KINDS = ['company', 'identity', 'address', 'selfie'] as const;
/**
 * `company`: contrato social or its equal; `identity`: of the representative or the person;
 * `address`: proof of it.
 */
export type KycDocumentKind = (typeof KYC_DOCUMENT_KINDS)[number];

/**
 * In the order in which they are asked for. A company's representative is known by its papers, a
 * person by their face.
 */
export const REQUIRED_DOCUMENTS = {
  company: ['company', 'identity', 'address'],
  person: ['identity', 'address', 'selfie'],
} as const satisfies Record<KycKind, readonly KycDocumentKind[]>;

export const isKycDocumentKind = (text: string): text is KycDocumentKind =>
  (KYC_DOCUMENT_KINDS as readonly string[]).includes(text);

/** What of a kind's documents is not among those that are there. */
export const missingDocuments = (kind: KycKind, there: readonly KycDocumentKind[]): KycDocumentKind[] =>
  REQUIRED_DOCUMENTS[kind].filter((required) => !there.includes(required));

/**
 * 8 MiB: a photo of a phone's camera or thirty scanned pages. A file is read into memory whole, to
 * inspect its structure.
 */
export const DOCUMENT_BYTES_MAX = 8 * 1024 * 1024;

/** Of one kind: front, back, and one more page. */
export const DOCUMENTS_PER_KIND_MAX = 3;

/** In code points: enough to distinguish files, short enough for a line of the page. */
const FILE_NAME_LENGTH_MAX = 80;

/** A folder before the last slash, of either kind. */
const FOLDER = /^.*[\\/]/su;
/**
 * Control characters, and those that turn the direction of text round so that `exe.jpg` hides what
 * a name ends in.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/**
 * A file's name as it is kept, for people to read: it is never a path and never says what the file
 * is.
 */
export function cleanFileName(text: string): string {
  const name = text.normalize('NFC').replace(FOLDER, '').replace(UNPRINTABLE, '').trim();
  return Array.from(name).slice(0, FILE_NAME_LENGTH_MAX).join('') || 'documento';
}
