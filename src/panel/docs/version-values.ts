import { API_VERSION, SERVED_VERSIONS, VERSION_SERVED_MONTHS } from '#contract/api-version.ts';

/** The values that the text about versions names. */
export const VERSION_VALUES = {
  version: API_VERSION,
  served: SERVED_VERSIONS.join(', '),
  months: VERSION_SERVED_MONTHS,
};
