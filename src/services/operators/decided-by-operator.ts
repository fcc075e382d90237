import type { DecidedBy } from '#db/connection/ask-decision.ts';
import type { AsOperator } from '../audit/record-audit.ts';

export type DecidedByOperator = DecidedBy;

/** The operator who decides in the console, and from where. */
export const decidedByOperator = ({ operator, origin }: Required<AsOperator>): DecidedByOperator => ({
  name: operator,
  memberId: null,
  ...origin,
});
