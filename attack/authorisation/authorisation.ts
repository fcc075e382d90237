import type { Subject } from '../subject.ts';
import { changedTables, stateOf } from '../tenant-state.ts';
import { openTenant } from '../tenants.ts';
import { attackFiles, attackSignInEndpoints } from './files.ts';
import type { Matrix } from './matrix.ts';
import { unruled } from './operations.ts';
import { attackConfirmations, attackOtherMembers, attackWithoutSession, badSessions } from './panel.ts';
import { attackReplays } from './replays.ts';
import { attackOtherTenants, attackPermissions, attackWithoutKey } from './rest.ts';
import { attackRoles } from './roles.ts';
import { attackStopped } from './stopped.ts';

/**
 * Authorisation: every procedure of both routers, with every kind of credential, on every tenant's
 * things, in both modes.
 */
export const authorisation: Subject = {
  name: 'authorisation',
  async run(arena) {
    const ruled = arena.attack('every procedure has a rule');
    for (const what of unruled()) ruled(what, 'say in attack/authorisation/rules.ts who may call it');
    ruled('the table of rules', null);

    // The requests come from one address, with many keys; other subjects attack the limits against
    // floods.
    const variables = { DEMO: 'true', RATE_LIMIT_FAILED_KEYS: '1000000', RATE_LIMIT_PER_KEY: '1000000' };
    const service = await arena.start({ variables });
    const victim = await openTenant(arena, service, 'vitima');
    const attacker = await openTenant(arena, service, 'atacante');
    const victimKeys = { live: await victim.newKey('live'), test: await victim.newKey('test') };
    const visitors = await badSessions(service, victim, victimKeys.test);
    const matrix: Matrix = { arena, service, victim, attacker, victimKeys, visitors };
    await service.deps.db.pool.query('UPDATE merchants SET can_create_accounts = true WHERE id = $1', [
      attacker.merchantId,
    ]);

    const before = await service.until('the victim is left alone', async () => {
      const one = await stateOf(service, victim);
      await new Promise((resolve) => setTimeout(resolve, 300));
      return changedTables(one, await stateOf(service, victim)).length === 0 ? one : null;
    });
    await attackWithoutSession(matrix);
    await attackFiles(matrix);
    await attackSignInEndpoints(matrix);
    // Before the attacks with keys: the log of requests shows attackers the paths that they typed
    // themselves.
    await attackOtherMembers(matrix);
    await attackOtherTenants(matrix);
    await attackConfirmations(matrix);
    await attackPermissions(matrix);
    await attackReplays(matrix);
    await attackStopped(matrix);
    await attackRoles(matrix);
    const unchanged = arena.attack("another tenant's rows");
    for (const table of changedTables(before, await stateOf(service, victim))) unchanged(table, 'changed');
    unchanged('all rows', null);
    // Last: it makes keys of the victim's own.
    await attackWithoutKey(matrix);
  },
};
