/** Tells better-auth the client's address. Set by our own handler, over what a client sent. */
export const ADDRESS_HEADER = 'x-trilho-client-address';
