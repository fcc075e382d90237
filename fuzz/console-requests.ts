import fc from 'fast-check';
import { operatorRouter } from '#server/procedures/operator/operator-router.ts';
import { MODES } from '../attack/tenants.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { type FuzzTarget, namedIds } from './fuzz-target.ts';
import { type Procedure, procedureRequests, proceduresOf } from './procedure-requests.ts';
import { validInput } from './valid-values.ts';

/** The end of the operator's own session would leave nothing to send with. */
const LEFT_OUT = new Set(['session.signOut']);

/** Every procedure of the operators' console, with the schema of its input. */
export const consoleProcedures = (): Procedure[] =>
  proceduresOf(operatorRouter._def.procedures).filter(({ name }) => !LEFT_OUT.has(name));

/**
 * Requests of one procedure, as a page of the console sends them. What they change belongs to the
 * other merchant: the first one's own requests go on.
 */
export function consoleRequests(of: Procedure, target: FuzzTarget): fc.Arbitrary<FuzzRequest> {
  const { properties = {}, required = [] } = of.schema;
  const { receiverUrl, foreign, owned } = target;
  const own: Readonly<Record<string, readonly string[]>> = {
    account_id: MODES.map((mode) => foreign[mode].accountId),
    transaction_id: MODES.flatMap((mode) => [owned[mode].paidCharge, foreign[mode].pixWithdrawal]),
  };
  const ids = MODES.flatMap((mode) => namedIds(foreign[mode]));
  const input = fc.tuple(validInput(properties, required, { ids, receiverUrl }), fc.nat()).map(([generated, at]) => ({
    ...generated,
    ...Object.fromEntries(
      Object.entries(own).flatMap(([name, values]) => (name in generated ? [[name, values[at % values.length]]] : [])),
    ),
  }));
  return procedureRequests({
    procedure: of,
    input,
    prefix: '/operator/api/trpc/',
    cookie: target.operatorCookie,
    origin: target.url,
  });
}
