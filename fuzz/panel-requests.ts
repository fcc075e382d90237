import fc from 'fast-check';
import { panelRouter } from '#server/procedures/panel-router.ts';
import { RULES } from '../attack/authorisation/rules.ts';
import { MODES, type Mode } from '../attack/tenants.ts';
import { PASSWORD } from '../src/testing/panel-browser.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { type Procedure, procedureRequests, proceduresOf } from './procedure-requests.ts';
import { sourcesOf } from './rest-requests.ts';
import { validInput } from './valid-values.ts';

/** Every procedure of the pages' router, with the schema of its input. */
export const panelProcedures = (): Procedure[] => proceduresOf(panelRouter._def.procedures);

/** Valid inputs of procedures that only reject generated ones. */
const RIGHT_INPUTS: Readonly<Record<string, Record<string, unknown>>> = { 'session.confirm': { password: PASSWORD } };

/** Requests of one procedure, as a page of the signed-in member sends them. */
export function panelRequests(of: Procedure, target: FuzzTarget): fc.Arbitrary<FuzzRequest> {
  const { properties = {}, required = [] } = of.schema;

  const inMode = (mode: Mode): fc.Arbitrary<FuzzRequest> => {
    const example = Object.entries(RULES[of.name]?.input(target.owned[mode]) ?? {}).map(([name, value]) => [
      name,
      name === 'url' ? target.receiverUrl : value,
    ]);
    const right: Record<string, unknown> = { ...Object.fromEntries(example), ...RIGHT_INPUTS[of.name] };
    const rights =
      of.name === 'transactions.cancel'
        ? target.pendingCharges[mode].map((transactionId) => ({ ...right, transactionId }))
        : [right];
    // The ids of the example stay: a generated id rarely is one of this procedure's.
    const input = fc.oneof(
      { arbitrary: fc.constantFrom(...rights), weight: required.every((name) => name in right) ? 2 : 0 },
      {
        arbitrary: validInput(properties, required, sourcesOf(target, mode)).map((generated) => ({
          ...generated,
          ...Object.fromEntries(Object.entries(right).filter(([name]) => /id$/i.test(name))),
        })),
        weight: 1,
      },
    );
    return procedureRequests({
      procedure: of,
      input,
      prefix: `/api/trpc/${mode}/`,
      cookie: target.cookie,
      origin: target.url,
    });
  };
  return fc.oneof(...MODES.map(inMode));
}
