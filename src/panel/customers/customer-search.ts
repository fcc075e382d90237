import { createLoader, type inferParserType, parseAsString } from 'nuqs/server';

/** The search of the list, as its address has it. */
export const CUSTOMERS_ADDRESS = { busca: parseAsString.withDefault('') };

export const loadCustomerSearch = createLoader(CUSTOMERS_ADDRESS);

/** The search as customers.list takes it. */
export const customersInput = ({ busca }: inferParserType<typeof CUSTOMERS_ADDRESS>) => (busca ? { text: busca } : {});
