type StartErrorCode = 'ALREADY_RUNNING' | 'HOME_UNWRITABLE' | 'START_FAILED' | 'DATA_LOST' | 'DATABASE_TOO_OLD';

/**
 * Thrown where the database can't be started. The message is one line for the operator that says
 * what to do.
 */
export class StartError extends Error {
  readonly code: StartErrorCode;

  constructor(code: StartErrorCode, message: string) {
    super(message);
    this.name = 'StartError';
    this.code = code;
  }
}
