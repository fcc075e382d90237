import type { DayToReconcile, ListedMovement, ReconciliationRun } from '#db/reconciliation/run-reconciliation.ts';

/** The run of a day that is under way. */
export type Run = NonNullable<DayToReconcile['run']>;

/** A page of what a provider lists of a day. */
export type BooksPage = { movements: ListedMovement[]; unreadable: number; hasMore: boolean };

/** A provider's books of a day, as a run reads them: page by page, one list after the other. */
export type ProviderBooks = {
  /**
   * The balance at the provider now, in centavos or in units of the coin; null where it does not
   * say.
   */
  balance(): Promise<bigint | null>;
  /** Throws ProviderUnavailable when the provider can't say. */
  readPage(run: Run): Promise<BooksPage>;
  /** The page after one; null after the last. */
  nextOf(run: ReconciliationRun, hasMore: boolean): Pick<ReconciliationRun, 'step' | 'page'> | null;
};
