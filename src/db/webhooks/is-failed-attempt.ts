/** SQL for whether an attempt, by the alias of its row, got no answer or one that is no success. */
export const isFailedAttempt = (attempt: string): string =>
  `(${attempt}.status_code IS NULL OR ${attempt}.status_code NOT BETWEEN 200 AND 299)`;
