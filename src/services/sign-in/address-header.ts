/** Passes the client's address to better-auth. Set by our own handler, over what a client sent. */
export const ADDRESS_HEADER = 'x-trilho-client-address';
