import type { DecidedBy } from '#db/connection/ask-decision.ts';
import type { AsOperator } from '../audit/record-audit.ts';

/** The operator who decides in the console, and from where. */
export const decidedByOperator = ({ operator, origin }: Required<AsOperator>): DecidedBy => ({
  name: operator,
  memberId: null,
  ...origin,
});
