/**
 * Errors of a pipeline to a response whose client left while it was written, or before it began.
 */
const HUNG_UP = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE'];

/** Whether a pipeline to a response failed because its client hung up: nothing is wrong with us. */
export const isHungUp = (error: unknown): boolean => HUNG_UP.includes((error as { code?: string }).code ?? '');
