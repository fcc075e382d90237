import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'next-intl';
import type { FirstStepsOutput } from '#contract/accounts/first-steps-output.ts';
import { api } from '#panel/api.tsx';
import { useIdempotencyKey } from '#panel/money/use-idempotency-key.ts';
import { useSandboxCommand } from '#panel/sandbox-controls/use-sandbox-command.ts';
import { useErrorText } from '#panel/shell/call-error.ts';
import { LinkButton } from '#panel/shell/links.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { useTestReceiver } from '#panel/webhooks/use-test-receiver.ts';
import type { FirstStep } from './first-steps-left.ts';

/** As in the README; none of the amounts from which the sandbox reads a wish. */
const SAMPLE_REAIS = 100.5;

/**
 * What can be done about a step: in test mode with one click and on this page, and by one's own way
 * where there is one.
 */
export function StepActions(props: { name: FirstStep['name']; isNext: boolean; steps: FirstStepsOutput }) {
  const { name, isNext, steps } = props;
  const { mode, href } = usePanel();
  const t = useTranslations('panel.start');
  const charge = steps.pending_charge_id ?? steps.charge_id;
  const own = {
    charge: href('/cobrar'),
    pay: href(charge ? `/transacoes/${charge}` : '/cobrar'),
    webhook: href('/webhooks'),
    verify: href('/verificacao'),
  }[name];
  const isTest = mode === 'test';
  const atOnce =
    isTest && name === 'charge' ? (
      <SampleCharge isNext={isNext} />
    ) : isTest && name === 'pay' && steps.pending_charge_id ? (
      <Pay transactionId={steps.pending_charge_id} isNext={isNext} />
    ) : isTest && name === 'webhook' && !steps.has_endpoint ? (
      <Receive isNext={isNext} />
    ) : null;
  return (
    <Group gap="xs">
      {atOnce}
      <LinkButton href={own} primary={isNext && !atOnce} label={t(`${name}Action`)} />
    </Group>
  );
}

function SampleCharge({ isNext }: { isNext: boolean }) {
  const t = useTranslations('panel.start');
  const textOf = useErrorText();
  const utils = api.useUtils();
  const intention = useIdempotencyKey<object>('first charge');
  const request = { amount: SAMPLE_REAIS, description: t('sampleDescription') };
  const create = api.charges.create.useMutation({
    trpc: { context: intention.context },
    onError: (error) => void notifications.show({ message: textOf(error), color: 'red' }),
    onSuccess: () => intention.finish(),
    onSettled: () => utils.invalidate(),
  });
  const start = () => {
    intention.send(request);
    create.mutate(request);
  };
  return (
    <Button variant={isNext ? 'filled' : 'default'} loading={create.isPending} onClick={start}>
      {t('sampleAction', { amount: useFormats().reais(SAMPLE_REAIS) })}
    </Button>
  );
}

function Pay({ transactionId, isNext }: { transactionId: string; isNext: boolean }) {
  const t = useTranslations('panel.sandbox.bar');
  const command = useSandboxCommand();
  return (
    <Button
      variant={isNext ? 'filled' : 'default'}
      loading={command.isPending}
      onClick={() => command.mutate({ transaction_id: transactionId, command: 'pay' })}
    >
      {t('payAsCustomer')}
    </Button>
  );
}

function Receive({ isNext }: { isNext: boolean }) {
  const t = useTranslations('panel.webhooks.receiver');
  const receiver = useTestReceiver();
  return (
    <Button variant={isNext ? 'filled' : 'default'} loading={receiver.isPending} onClick={() => receiver.mutate()}>
      {t('choose')}
    </Button>
  );
}
