import type { DecidedBy } from '#db/connection/ask-decision.ts';
import {
  acknowledgeForeignOperation,
  type ForeignOperationRow,
  listForeignOperations,
} from '#db/unmatched/foreign-operations.ts';
import type { Deps } from '../deps.ts';
import { SHOWN_MAX } from '../shown-max.ts';

/** Operations that are not of the service: what nobody has taken note of, or all of them. */
export const listAllForeignOperations = (
  { db }: Pick<Deps, 'db'>,
  { waiting }: { waiting: boolean },
): Promise<ForeignOperationRow[]> => listForeignOperations(db.pool, { waiting, limit: SHOWN_MAX });

/** Says what an operation was that is not of the service; no balance changes. */
export const takeNoteOfOperation = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  note: { id: string; reason: string; by: DecidedBy },
): Promise<'acknowledged' | 'decided'> => acknowledgeForeignOperation(db.pool, { ...note, now: clock() });
