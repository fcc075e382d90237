/** Of a file with data of customers: readable by the operator only. */
export const OWN_FILE_MODE = 0o600;
