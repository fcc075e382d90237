import {
  apiKeyOutput,
  apiKeysOutput,
  createApiKeyInput,
  createdApiKeyOutput,
  revokeApiKeyInput,
  rotateApiKeyInput,
  rotatedApiKeyOutput,
} from '#contract/api-keys/api-keys.ts';
import { WORKING_KEYS_MAX } from '#domain/api-keys/api-key-state.ts';
import { ALL_PERMISSIONS } from '#domain/api-keys/permissions.ts';
import { createOwnApiKey } from '#services/api-keys/create-own-api-key.ts';
import { type ApiKeyView, listApiKeys } from '#services/api-keys/list-api-keys.ts';
import type { Member, Origin, Principal } from '#services/api-keys/principal.ts';
import { revokeOwnApiKey } from '#services/api-keys/revoke-own-api-key.ts';
import { rotateApiKey } from '#services/api-keys/rotate-api-key.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';

export const keysRouter = router({
  list: memberProcedure.output(encoded(apiKeysOutput)).query(async ({ ctx: { deps, principal } }) => {
    const keys = await listApiKeys(deps, principal.accountId);
    // Opening accounts for others is the operator's to allow; a key of an account that may not
    // could do nothing with it.
    const grantable = ALL_PERMISSIONS.filter((one) => one !== 'accounts:write' || principal.mayCreateAccounts);
    return { keys: keys.map(present), grantable, working_keys_max: WORKING_KEYS_MAX };
  }),

  create: memberProcedure
    .meta({ confirm: 'recent', secrets: ['api_key'] })
    .input(createApiKeyInput)
    .output(encoded(createdApiKeyOutput))
    .mutation(async ({ ctx, input }) => {
      const { key, apiKey } = await createOwnApiKey(ctx.deps, whoIn(ctx), {
        name: input.name,
        permissions: input.permissions,
        allowedIps: input.allowed_ips,
        expiresAt: input.expires_at,
        caps: input.caps,
      });
      return { key: present(key), api_key: apiKey };
    }),

  rotate: memberProcedure
    .meta({ confirm: 'recent', secrets: ['api_key'] })
    .input(rotateApiKeyInput)
    .output(encoded(rotatedApiKeyOutput))
    .mutation(async ({ ctx, input }) => {
      const request = { keyId: input.key_id, overlapHours: input.overlap_hours };
      const { key, apiKey, replaced } = await rotateApiKey(ctx.deps, whoIn(ctx), request);
      return { key: present(key), api_key: apiKey, replaced: present(replaced) };
    }),

  // Without a second factor: a member who sees a key stolen must be able to end it at once.
  revoke: memberProcedure
    .meta({ whileSuspended: true })
    .input(revokeApiKeyInput)
    .output(encoded(apiKeyOutput))
    .mutation(async ({ ctx, input }) => present(await revokeOwnApiKey(ctx.deps, whoIn(ctx), input.key_id))),
});

const whoIn = ({ principal, member, panel }: { principal: Principal; member: Member; panel: { origin: Origin } }) => ({
  accountId: principal.accountId,
  mode: principal.mode,
  member,
  origin: panel.origin,
});

const present = (key: ApiKeyView) => ({
  key_id: key.id,
  name: key.name,
  prefix: key.prefix,
  last_four: key.lastFour,
  permissions: key.permissions,
  allowed_ips: key.allowedIps,
  call_cap: key.callCapCentavos,
  day_cap: key.dayCapCentavos,
  state: key.state,
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt,
  expires_at: key.expiresAt,
  revoked_at: key.revokedAt,
});
