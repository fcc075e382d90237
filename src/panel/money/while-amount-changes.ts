import type { QueryKey } from '@tanstack/react-query';

/**
 * For `placeholderData` of a query whose input has an `amount`: while another amount is read, what
 * was read for the one before stays without what depends on it, which `withoutAmount` takes out.
 * What was read for anything else, as another currency, goes: its figures would be wrong.
 */
export const whileAmountChanges =
  <Data>(input: { amount?: unknown }, withoutAmount: (data: Data) => Data) =>
  (previous: Data | undefined, query: { queryKey: QueryKey } | undefined): Data | undefined => {
    const [, { input: asked = {} } = {}] = (query?.queryKey ?? []) as [unknown?, { input?: object }?];
    return previous !== undefined && besidesAmount(asked) === besidesAmount(input)
      ? withoutAmount(previous)
      : undefined;
  };

const besidesAmount = (input: object): string =>
  JSON.stringify(Object.entries({ ...input, amount: null }).sort(([a], [b]) => (a < b ? -1 : 1)));
