import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import type { ProviderRail, SandboxOffer } from '#contract/providers/providers.ts';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Notice } from '#panel/money/notice.tsx';
import { CallButton } from '#panel/shell/call-button.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { Section } from '#panel/shell/section.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { When } from '#panel/shell/when.tsx';
import { useInFlightText } from './use-in-flight-text.ts';

const ConnectDrawer = lazyPart(() => import('./connect-drawer.tsx'), 'ConnectDrawer');
const DisconnectDialog = lazyPart(() => import('./disconnect-dialog.tsx'), 'DisconnectDialog');

type Props = { rail: ProviderRail; sandbox: SandboxOffer; isRequired: boolean };

/** One way of paying: whose provider credentials it uses, and what can be done about them. */
export function ProviderSection({ rail, sandbox, isRequired }: Props) {
  const { kind, uses, connected } = rail;
  const t = useTranslations('panel.providers');
  const { mode, may } = usePanel();
  const [dialog, setDialog] = useState<'connect' | 'disconnect' | null>(null);
  const mayConnect = mode === 'live' && may('providers.connect');
  const close = () => setDialog(null);
  return (
    <Section
      title={t(`kinds.${kind}`)}
      text={t(`kindText.${kind}`)}
      aside={<StatusBadge tone={USES_TONES[uses]} label={t(`uses.${uses}`)} />}
    >
      {connected ? (
        <Connected rail={rail} connected={connected} />
      ) : (
        mode === 'live' && uses !== 'own' && <Text fz="sm">{t(`usesText.${uses}`)}</Text>
      )}
      {mode === 'live' && (
        <Group gap="xs">
          {mayConnect && (
            <Button
              size="sm"
              variant={connected || !isRequired ? 'default' : 'filled'}
              onClick={() => setDialog('connect')}
            >
              {t(connected ? 'replace' : 'connect')}
            </Button>
          )}
          {connected && <CheckButton kind={kind} />}
          {connected && mayConnect && (
            <Button size="sm" variant="subtle" color="red" onClick={() => setDialog('disconnect')}>
              {t('disconnect')}
            </Button>
          )}
        </Group>
      )}
      <Suspense fallback={null}>
        {dialog === 'connect' && (
          <ConnectDrawer kind={kind} isReplacing={connected !== null} sandbox={sandbox} onClose={close} />
        )}
        {dialog === 'disconnect' && connected && (
          <DisconnectDialog kind={kind} provider={connected.provider} isRequired={isRequired} onClose={close} />
        )}
      </Suspense>
    </Section>
  );
}

const USES_TONES = { own: 'ok', installation: 'neutral', sandbox: 'neutral', none: 'warn' } as const;

function Connected({
  rail: { in_flight: inFlight, earlier_in_flight: earlier },
  connected,
}: {
  rail: ProviderRail;
  connected: NonNullable<ProviderRail['connected']>;
}) {
  const t = useTranslations('panel.providers');
  const inFlightText = useInFlightText();
  const { provider, since, by, by_operator: isByOperator, checked_at: checkedAt, check_answer: answer } = connected;
  const earlierText = inFlightText(earlier);
  return (
    <Stack gap="sm">
      <FieldList
        fields={[
          [t('provider'), t(`names.${provider}`)],
          [t('since'), <When key="since" at={since} />],
          [t('by'), by ?? t(isByOperator ? 'byOperator' : 'byGone')],
          [
            t('checked'),
            checkedAt && answer ? (
              <Group key="checked" gap="xs">
                <When at={checkedAt} />
                <StatusBadge tone={answer === 'can' ? 'ok' : 'bad'} label={t(`answers.${answer}`)} />
              </Group>
            ) : (
              t('neverChecked')
            ),
          ],
          [t('inFlight'), inFlightText(inFlight)],
        ]}
      />
      {earlierText !== '' && <Notice>{t('earlier', { what: earlierText })}</Notice>}
    </Stack>
  );
}

/** Asks the provider again; its answer is shown beside the time. */
function CheckButton({ kind }: Pick<ProviderRail, 'kind'>) {
  const t = useTranslations('panel.providers');
  const notify = useNotify();
  const utils = api.useUtils();
  const check = api.providers.check.useMutation({
    onError: notify.failed,
    onSettled: () => utils.providers.get.invalidate(),
  });
  return <CallButton size="sm" call={check} input={{ kind }} label={t('check')} />;
}
