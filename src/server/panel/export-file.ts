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
  language: 'pt-BR' | 'en';
};

/** Errors: a ZodError for a query that is none of this file. */
export type OpenExport = (deps: Deps, request: ExportRequest) => Promise<ExportFile>;

export const CSV_MEDIA_TYPE = 'text/csv; charset=utf-8; header=present';

/** Two files of the same name from both modes would be taken for each other once they lie in a folder. */
export const fileName = (parts: readonly string[], mode: 'live' | 'test', extension: string): string =>
  `${[...parts, ...(mode === 'test' ? ['teste'] : [])].join('-')}.${extension}`;
