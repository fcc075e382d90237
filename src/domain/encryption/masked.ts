/** Masks people's data for screens and receipts: enough to recognise it, not enough to use it. */

/**
 * Masks a document as the panel shows it: the middle of a CPF (`***.456.789-**`, as receipts of PIX
 * have it), a CNPJ without its ends (`**.345.678/0001-**`). Any other text is hidden whole.
 */
export function maskDocument(document: string): string {
  const text = document.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
  if (/^\d{11}$/.test(text)) return `***.${text.slice(3, 6)}.${text.slice(6, 9)}-**`;
  if (text.length === CNPJ_LENGTH) return `**.${text.slice(2, 5)}.${text.slice(5, 8)}/${text.slice(8, 12)}-**`;
  return '***';
}

/** Masks a document that a provider states; one that the provider has masked stays as it is. */
export const maskProvidedDocument = (document: string): string =>
  document.includes('*') ? document : maskDocument(document);

const CNPJ_LENGTH = 14;

/**
 * Masks a Brazilian phone number but for its area code and last four digits: `+55 11 *****-4321`.
 * Any other text is hidden whole.
 */
export function maskPhone(phone: string): string {
  const [, area = '', end = ''] = /^\+55(\d{2})\d+(\d{4})$/.exec(phone) ?? [];
  return end === '' ? '***' : `+55 ${area} *****-${end}`;
}

/**
 * Masks a PIX key by its type; e-mails and random keys stay, because a payout is recognised by
 * them.
 */
export function maskPixKey(key: string, type: string | null): string {
  const kind = type?.toLowerCase();
  if (kind === 'cpf' || kind === 'cnpj') return maskDocument(key);
  return kind === 'phone' ? maskPhone(key) : key;
}

/** Masks an e-mail address but for its first character and its domain: `m***@example.com`. */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 1 ? '***' : `${[...address][0]}***${address.slice(at)}`;
}

/** Shortens a name to its first word and the first letters of the others: `Maria d. S.` */
export const shortenName = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .map((word, index) => (index === 0 ? word : `${[...word][0]}.`))
    .join(' ');
