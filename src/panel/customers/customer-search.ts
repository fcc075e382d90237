import { createLoader, type inferParserType, parseAsString } from 'nuqs/server';

/** What an address of the list looks for. */
export const CUSTOMERS_ADDRESS = { busca: parseAsString.withDefault('') };

export const loadCustomerSearch = createLoader(CUSTOMERS_ADDRESS);

/** The search as customers.list takes it. */
export const customersInput = ({ busca }: inferParserType<typeof CUSTOMERS_ADDRESS>) => (busca ? { text: busca } : {});
