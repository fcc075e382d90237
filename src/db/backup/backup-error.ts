/**
 * The file is no backup, was changed or cut off, the passphrase is another one, or the database is
 * none to restore into: a line for the operator.
 */
export class BackupError extends Error {}
