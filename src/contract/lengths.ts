/**
 * The greatest lengths of texts, apart from the schemas, so that a form need not load zod for its
 * inputs' bounds.
 */

/** API Pix: devedor.nome. */
export const NAME_LENGTH_MAX = 200;
/** A CNPJ with all its punctuation has 18. */
export const DOCUMENT_LENGTH_MAX = 30;
/**
 * Of a charge. Ours to choose; the first 140 characters reach the payer's bank (API Pix:
 * solicitacaoPagador).
 */
export const DESCRIPTION_LENGTH_MAX = 500;
/** Of a withdrawal and of a refund. API Pix: pagador.infoPagador; descricao of a devolução. */
export const PIX_DESCRIPTION_LENGTH_MAX = 140;
/** Of a merchant's own reference: an order's number, a UUID, an address of its own. */
export const REFERENCE_LENGTH_MAX = 100;
/** Of metadata as Stripe has it, which integrations are written for: names, and length of each. */
export const METADATA_NAMES_MAX = 20;
export const METADATA_NAME_LENGTH_MAX = 40;
export const METADATA_VALUE_LENGTH_MAX = 500;
/** Of all names and texts together: every list and every event carries them. */
export const METADATA_LENGTH_MAX = 5_000;
