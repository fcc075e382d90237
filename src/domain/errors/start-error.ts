type StartErrorCode = 'ALREADY_RUNNING' | 'HOME_UNWRITABLE' | 'START_FAILED' | 'DATA_LOST' | 'DATABASE_TOO_OLD';

/**
 * Why the database could not be started: the message is one line for the operator that says what to
 * do.
 */
export class StartError extends Error {
  readonly code: StartErrorCode;

  constructor(code: StartErrorCode, message: string) {
    super(message);
    this.name = 'StartError';
    this.code = code;
  }
}
