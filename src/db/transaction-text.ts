/** What somebody looks for: in names, e-mails and descriptions; identifiers and documents are compared whole. */
export type SearchText = {
  contains: string;
  /** The transaction that it names, by its id or txid. */
  uuid: string | null;
  /** The fingerprints that it has if it is a document. */
  documentIndexes: Buffer[];
};

/** The conditions by which transactions t are of this text, joined by OR. `bind` gives a value its parameter. */
export function textCondition(
  { contains, uuid, documentIndexes }: SearchText,
  bind: (value: unknown) => string,
): string {
  const whole = bind(contains);
  return [
    ...(uuid === null ? [] : [`t.id = ${bind(uuid)}::uuid`]),
    `t.end_to_end_id = ${whole}`,
    `t.provider_id = ${whole}`,
    `t.wallet = ${whole}`,
    `t.customer_document_index = ANY (${bind(documentIndexes)})`,
    ...wordCondition(contains, bind),
  ].join(' OR ');
}

/** The conditions by which the words of transactions t hold this text; none for a text without letters and digits. */
export function wordCondition(contains: string, bind: (value: unknown) => string): string[] {
  return patternsOf(contains).flatMap((pattern) => {
    const like = bind(pattern);
    return [`t.customer_name ILIKE ${like}`, `t.customer_email ILIKE ${like}`, `t.description ILIKE ${like}`];
  });
}

/**
 * The index of words goes by three characters in a row. A text that has none is looked for where a word begins, because the beginning of
 * a word is a character of its own there; anywhere else PostgreSQL would read the whole account.
 */
function patternsOf(contains: string): string[] {
  const literal = contains.replace(/[\\%_]/g, '\\$&');
  if (/[\p{L}\p{N}]{3}/u.test(contains)) return [`%${literal}%`];
  return /[\p{L}\p{N}]/u.test(contains) ? [`${literal}%`, `% ${literal}%`] : [];
}
