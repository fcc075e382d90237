import { Button, Group } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { FirstStepsOutput } from '#contract/accounts/first-steps-output.ts';
import { api } from '#panel/api.tsx';
import { useIdempotencyKey } from '#panel/money/use-idempotency-key.ts';
import { useSandboxCommand } from '#panel/sandbox-controls/use-sandbox-command.ts';
import { LinkButton } from '#panel/shell/links.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { useTestReceiver } from '#panel/webhooks/use-test-receiver.ts';
import { type FirstStep, isSimulated } from './use-first-steps.ts';

/** The amount of the README's example; the sandbox chooses no outcome by it. */
const SAMPLE_REAIS = 100.5;

/** Where each step is taken; a member's role may not show the page. */
const OWN_PAGES = {
  provider: '/provedores',
  charge: '/cobrar',
  pay: '/cobrar',
  webhook: '/webhooks',
  verify: '/verificacao',
} as const satisfies Record<FirstStep['name'], string>;

type Props = { name: FirstStep['name']; isNext: boolean; steps: FirstStepsOutput };
type Act = { label: string; call: { isPending: boolean }; run: () => void };

/**
 * What can be done about a step: in test mode one click on this page, and the member's own way
 * where there is one.
 */
export function StepActions({ name, isNext, steps }: Props) {
  const { mode, href, sees } = usePanel();
  const t = useTranslations('panel.start');
  const act = useAct(name, steps);
  if (mode === 'live' && isSimulated(name)) {
    return isNext && <LinkButton href="/test/comecar" primary label={t('inTest')} />;
  }
  const charge = steps.pending_charge_id ?? steps.charge_id;
  const own = name === 'pay' && charge ? `/transacoes/${charge}` : OWN_PAGES[name];
  const label = t(name === 'pay' && !charge ? 'chargeAction' : `${name}Action`);
  // Own credentials are for live payments alone.
  const ownHref = name === 'provider' ? `/live${own}` : href(own);
  return (
    <Group gap="xs">
      {act && (
        <Button variant={isNext ? 'filled' : 'default'} loading={act.call.isPending} onClick={act.run}>
          {act.label}
        </Button>
      )}
      {sees(OWN_PAGES[name]) && <LinkButton href={ownHref} primary={isNext && !act} label={label} />}
    </Group>
  );
}

/** The action that one click takes for a step; null where it takes more than that. */
function useAct(name: FirstStep['name'], steps: FirstStepsOutput): Act | null {
  const { mode, may } = usePanel();
  const { reais } = useFormats();
  const t = useTranslations('panel.start');
  const ofSandbox = useTranslations('panel.sandbox.bar');
  const ofReceiver = useTranslations('panel.webhooks.receiver');
  const create = useSampleCharge();
  const command = useSandboxCommand();
  const receiver = useTestReceiver();
  const { pending_charge_id: pending, has_endpoint: hasEndpoint } = steps;
  if (mode !== 'test') return null;
  if (name === 'charge' && may('charges.create'))
    return { label: t('sampleAction', { amount: reais(SAMPLE_REAIS) }), call: create, run: create.start };
  if (name === 'pay' && pending && may('sandbox.command')) {
    const run = () => command.mutate({ transaction_id: pending, command: 'pay' });
    return { label: ofSandbox('payAsCustomer'), call: command, run };
  }
  if (name === 'webhook' && !hasEndpoint && may('webhooks.setTestReceiver'))
    return { label: ofReceiver('choose'), call: receiver, run: () => receiver.mutate() };
  return null;
}

function useSampleCharge() {
  const t = useTranslations('panel.start');
  const { failed } = useNotify();
  const utils = api.useUtils();
  const intention = useIdempotencyKey<object>('first charge');
  const request = { amount: SAMPLE_REAIS, description: t('sampleDescription') };
  const { mutate, isPending } = api.charges.create.useMutation({
    trpc: { context: intention.context },
    onError: failed,
    onSuccess: () => intention.finish(),
    onSettled: () => utils.invalidate(),
  });
  const start = () => {
    intention.send(request);
    mutate(request);
  };
  return { isPending, start };
}
