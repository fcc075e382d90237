/** Everything of the console is below this, and its cookie goes nowhere else. */
export const OPERATOR_PREFIX = '/operator';
/** The console's procedures and files: whatever is no page. */
export const OPERATOR_API_PREFIX = '/operator/api/';
