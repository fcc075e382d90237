import type { z } from 'zod';
import {
  checkOutput,
  connectInput,
  connectOutput,
  providerKindInput,
  providersOutput,
} from '#contract/providers/providers.ts';
import { CHECK_ANSWERS } from '#domain/providers/providers.ts';
import type { Member, Origin, Principal } from '#services/api-keys/principal.ts';
import { checkProvider, connectProvider, type ProviderForm } from '#services/providers/connect-provider.ts';
import { disconnectProvider } from '#services/providers/disconnect-provider.ts';
import { getProviders, type ProviderRail } from '#services/providers/get-providers.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';
import { mayCall } from '../role-access.ts';

/** An account's own credentials with providers. What is given is never shown again. */
export const providersRouter = router({
  get: memberProcedure.output(encoded(providersOutput)).query(async ({ ctx: { deps, principal, member } }) => {
    const { isRequired, sandbox, rails } = await getProviders(deps, principal);
    const isShown = sandbox !== null && mayCall(member.role, 'providers.connect');
    return {
      required: isRequired,
      sandbox: isShown
        ? {
            client_id: sandbox.clientId,
            client_secret: sandbox.clientSecret,
            pix_key: sandbox.pixKey,
            api_key: sandbox.cryptoKey,
          }
        : null,
      rails: rails.map(present),
    };
  }),

  /** Asks the provider first, and uses the credentials where it says that they are good. */
  connect: memberProcedure
    .meta({ confirm: 'recent' })
    .input(connectInput)
    .output(encoded(connectOutput))
    .mutation(({ ctx, input }) => connectProvider(ctx.deps, whoIn(ctx), toForm(input))),

  /** Asks the provider again. */
  check: memberProcedure
    .input(providerKindInput)
    .output(encoded(checkOutput))
    .mutation(async ({ ctx, input }) => ({ findings: await checkProvider(ctx.deps, whoIn(ctx), input.kind) })),

  disconnect: memberProcedure
    .meta({ confirm: 'recent' })
    .input(providerKindInput)
    .mutation(({ ctx, input }) => disconnectProvider(ctx.deps, whoIn(ctx), input.kind)),
});

const whoIn = ({ principal, member, panel }: { principal: Principal; member: Member; panel: { origin: Origin } }) => ({
  accountId: principal.accountId,
  mode: principal.mode,
  member,
  origin: panel.origin,
});

function toForm(input: z.output<typeof connectInput>): ProviderForm {
  if (input.kind === 'plisio') return { kind: input.kind, provider: input.provider, apiKey: input.api_key };
  const { kind, client_id: clientId, client_secret: clientSecret, pix_key: pixKey } = input;
  const client = { clientId, clientSecret, pixKey };
  if (input.provider === 'sandbox') return { kind, provider: input.provider, ...client };
  const { provider, certificate, private_key: privateKey, pkcs12, passphrase, app_key: appKey } = input;
  const accountNumber = input.account_number;
  return { kind, provider, ...client, certificate, privateKey, pkcs12, passphrase, appKey, accountNumber };
}

const present = ({ kind, uses, connected, inFlight, earlierInFlight }: ProviderRail) => ({
  kind,
  uses,
  connected: connected && {
    provider: connected.provider,
    since: connected.createdAt,
    by: connected.connectedBy,
    by_operator: connected.isByOperator,
    checked_at: connected.checkedAt,
    check_answer: CHECK_ANSWERS.find((answer) => answer === connected.checkResult) ?? null,
  },
  in_flight: inFlight,
  earlier_in_flight: earlierInFlight,
});
