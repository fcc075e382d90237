/** Whether a role, by what it `may`, answers what people ask for who are in the account's data. */
export const mayAnswerRequests = (may: (name: string) => boolean): boolean =>
  may('customers.export') || may('customers.erase');
