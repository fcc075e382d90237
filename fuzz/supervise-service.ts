import { checkLedger } from '#db/ledger/check-ledger.ts';
import { setSignUpPolicy } from '#services/members/sign-up-policy.ts';
import { listRails, switchRail } from '#services/rails/switch-rail.ts';
import type { TestService } from '../src/testing/test-service.ts';
import type { FuzzSupervision } from './fuzz-target.ts';

/** Two collections: the second one frees what finalizers release. */
const COLLECTIONS = 2;

/**
 * Errors that need an operator, although nothing is broken: payments of another amount than was
 * asked for, which the sandbox's commands make; and the return of a payment without a charge that
 * `openTenant` recorded and the simulator's books do not have.
 */
const FOR_OPERATORS = /waits for review\."|PixNaoEncontrado.*The PSP rejected the return of a payment\."/;

/** Supervises a service of this process. Memory is measured where garbage can be collected. */
export function superviseService(service: TestService): FuzzSupervision {
  const { pool } = service.deps.db;
  return {
    async refresh() {
      await pool.query('UPDATE sessions SET confirmed_at = $1', [service.deps.clock()]);
      await pool.query('UPDATE operator_sessions SET confirmed_at = $1', [service.deps.clock()]);
      await pool.query('DELETE FROM sandbox.switches');
    },
    async reopen() {
      const acting = { ...service.deps, operator: 'fuzz' };
      for (const { rail, closed } of await listRails(service.deps))
        if (closed) await switchRail(acting, { rail, reason: null });
      await setSignUpPolicy(acting, 'open');
    },
    async takeErrorLines() {
      // Lines that were read are dropped: a growing log would count as memory of the service.
      const lines = service.log.splice(0);
      return lines.filter((line) => /"level":"(error|fatal)"/.test(line) && !FOR_OPERATORS.test(line));
    },
    async checkLedger() {
      const { discrepancies, transfers } = await checkLedger(pool);
      const found = discrepancies.map(({ rule, detail }) => `${rule}: ${detail}`);
      return transfers === 0 ? [...found, 'it has no transfers: nothing was proved'] : found;
    },
    async measureMemory() {
      if (!globalThis.gc) return null;
      for (let left = COLLECTIONS; left > 0; left--) globalThis.gc();
      const { heapUsed, external, rss } = process.memoryUsage();
      return { used: heapUsed + external, resident: rss };
    },
  };
}
