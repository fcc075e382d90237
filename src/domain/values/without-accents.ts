/**
 * Returns a text without accents, `Ação` as `Acao`, and compatibility forms as what they stand for,
 * `ﬁ` as `fi`: how people type in a search, and what plain names of files have.
 */
export const withoutAccents = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '');
