import { createLoader, createParser, type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { REQUEST_METHODS, STATUS_CLASSES } from '#domain/requests/request-log.ts';

const parseAsUuid = createParser({
  parse: (text) => (/^[0-9a-f-]{36}$/i.test(text) ? text : null),
  serialize: (id: string) => id,
});

/** Which requests an address shows; unknown values are ignored. */
export const REQUESTS_ADDRESS = {
  chave: parseAsUuid,
  metodo: parseAsStringLiteral(REQUEST_METHODS),
  status: parseAsStringLiteral(STATUS_CLASSES),
  texto: parseAsString.withDefault(''),
};

export const loadRequestFilters = createLoader(REQUESTS_ADDRESS);

/** The filters as requests.list takes them. */
export const requestsInput = ({ chave, metodo, status, texto }: inferParserType<typeof REQUESTS_ADDRESS>) => ({
  ...(chave && { key_id: chave }),
  ...(metodo && { method: metodo }),
  ...(status && { status }),
  ...(texto && { text: texto }),
});
