/**
 * The file is no backup, or was changed or cut off; the passphrase or key is wrong; or the database
 * can't be restored into. The message is one line for the operator.
 */
export class BackupError extends Error {}

/** The file is sealed for other master keys than those that are here. */
export class OtherKeysError extends BackupError {}
