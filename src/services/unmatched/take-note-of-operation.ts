import type { DecidedBy } from '#db/connection/ask-decision.ts';
import {
  acknowledgeForeignOperation,
  type ForeignOperationRow,
  listForeignOperations,
} from '#db/unmatched/foreign-operations.ts';
import type { Deps } from '../deps.ts';
import { SHOWN_MAX } from '../shown-max.ts';

/** Lists operations that are not the service's: those not acknowledged yet, or all of them. */
export const listAllForeignOperations = (
  { db }: Pick<Deps, 'db'>,
  { waiting }: { waiting: boolean },
): Promise<ForeignOperationRow[]> => listForeignOperations(db.pool, { waiting, limit: SHOWN_MAX });

/** Acknowledges an operation that is not the service's, with a note; no balance changes. */
export const takeNoteOfOperation = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  note: { id: string; reason: string; by: DecidedBy },
): Promise<'acknowledged' | 'decided'> => acknowledgeForeignOperation(db.pool, { ...note, now: clock() });
