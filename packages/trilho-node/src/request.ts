import type { Operations, Warning } from './generated/api.ts';

/** The method and path of an operation, as in the document. */
export type OperationName = keyof Operations;

/** How one call differs from the client's own options. */
export type RequestOptions = {
  /** Ends the call. A POST that was sent by then ends with OutcomeUnknownError. */
  signal?: AbortSignal | undefined;
  /** How long one try may take, in milliseconds. */
  timeoutMs?: number | undefined;
  /**
   * How long the call may take with all its retries and the waits between them, in milliseconds.
   */
  totalTimeoutMs?: number | undefined;
  /** How often a failed try is repeated; 0 for never. */
  maxRetries?: number | undefined;
};

/** The options of a POST. */
export type PostOptions = RequestOptions & {
  /**
   * 1 to 255 visible ASCII characters: the number of your order, for example. For 30 days the same
   * key with the same request is executed once. Without one each call gets a random UUID.
   */
  idempotencyKey?: string | undefined;
};

/** What `onAnswer` gets for every successful call. */
export type AnswerInfo = {
  operation: OperationName;
  status: number;
  /** `x-request-id`, which support asks for. */
  requestId: string | null;
  idempotencyKey: string | null;
  /** Whether the answer is that of an earlier request under the same key. */
  isReplayed: boolean;
  /** Fields that were sent and that the operation does not have: usually a misspelt name. */
  warnings: readonly Warning[];
  /** How often the request was sent. */
  attempts: number;
};

/** The input of a request. */
export type RequestInput<Name extends OperationName> = {
  /** The values of the path's parameters, in their order. */
  ids?: readonly string[];
  query?: Operations[Name]['query'] | undefined;
  body?: Operations[Name]['body'] | undefined;
};
