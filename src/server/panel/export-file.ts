import type { Language } from '#domain/values/language.ts';
import { withoutAccents } from '#domain/values/without-accents.ts';
import { messages } from '#messages/messages.ts';
import type { Deps } from '#services/deps.ts';

/** A file that is written while it is sent. */
export type ExportFile = {
  /** Of letters, digits, points and hyphens. */
  name: string;
  mediaType: string;
  /** How many rows it will have, its head not counted; null: not known before. */
  totalRows: number | null;
  pieces: AsyncIterable<string>;
};

export type ExportRequest = {
  query: URLSearchParams;
  accountId: string;
  mode: 'live' | 'test';
  /** The reader's language: of the words, not of the figures. */
  language: Language;
};

/** Opens a file. Throws a ZodError for a query that this file does not take. */
export type OpenExport = (deps: Deps, request: ExportRequest) => Promise<ExportFile>;

export const CSV_MEDIA_TYPE = 'text/csv; charset=utf-8; header=present';

type FileNaming = { mode: 'live' | 'test'; language: Language; extension: string };

/**
 * The file's name, with test mode in it: two files of the same name from both modes would be taken
 * for each other once they lie in a folder.
 */
export const fileName = (parts: readonly string[], { mode, language, extension }: FileNaming): string =>
  `${[...parts, ...(mode === 'test' ? [messages[language].files.testMode] : [])].map(toFileNamePart).join('-')}.${extension}`;

/** `A liberar` → `a-liberar` */
const toFileNamePart = (text: string): string =>
  withoutAccents(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
