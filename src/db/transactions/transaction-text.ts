/**
 * The text of a search: in names, e-mails and descriptions; identifiers and documents are compared
 * whole.
 */
export type SearchText = {
  contains: string;
  /** Of names, e-mails, telephones and descriptions (domain/search-tokens.ts). */
  tokens: readonly bigint[][];
  /** The transaction that it names, by its id or txid. */
  uuid: string | null;
  /** The fingerprints that it has if it is a document. */
  documentIndexes: Buffer[];
};

/**
 * The conditions by which transactions t are of this text, joined by OR. `bind` gives a value its
 * parameter.
 */
export function textCondition(
  { contains, tokens, uuid, documentIndexes }: SearchText,
  bind: (value: unknown) => string,
): string {
  const whole = bind(contains);
  return [
    ...(uuid === null ? [] : [`t.id = ${bind(uuid)}::uuid`]),
    `t.end_to_end_id = ${whole}`,
    `t.provider_id = ${whole}`,
    `t.wallet = ${whole}`,
    `t.customer_document_index = ANY (${bind(documentIndexes)})`,
    ...tokenConditions(tokens, bind),
  ].join(' OR ');
}

/** The conditions by which transactions t have all tokens of one of these lists. */
export function tokenConditions(tokens: readonly bigint[][], bind: (value: unknown) => string): string[] {
  return tokens.map((list) => `t.search_tokens @> ${bind(list)}::bigint[]`);
}
