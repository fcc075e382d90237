/** Plisio's address for everyone. */
export const PLISIO_BASE_URL = 'https://api.plisio.net/api/v1';
