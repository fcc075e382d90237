/** What a merchant keeps with a transaction or a refund: texts of its own, by names of its own. */
export type Metadata = Readonly<Record<string, string>>;

/** A pair of metadata, as one text. Names contain no `=`: the first one ends the name. */
export const metadataPair = (name: string, value: string): string => `${name}=${value}`;

/** Returns the text that is stored, in the order in which the pairs were sent. */
export const writeMetadata = (metadata: Metadata): string => JSON.stringify(metadata);

/** Reads `writeMetadata`'s text; `null` stays `null`. */
export const readMetadata = (text: string | null): Metadata | null => (text === null ? null : JSON.parse(text));
