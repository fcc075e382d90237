/** A provider could not say how something stands: ask again later. */
export class ProviderUnavailable extends Error {}
