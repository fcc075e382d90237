import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { IconClock } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { reasonOf, useErrorText } from '#panel/shell/call-error.ts';
import { CopyButton } from '#panel/shell/copy-button.tsx';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { Section } from '#panel/shell/section.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { Icon } from '../shell/icon.tsx';
import classes from './secret-card.module.css';

const dialogs = () => import('./secret-dialogs.tsx');
const RotateSecretDialog = lazyPart(dialogs, 'RotateSecretDialog');
const EndOverlapDialog = lazyPart(dialogs, 'EndOverlapDialog');

/** After this time a shown secret is hidden again: a screen is left alone, or shared. */
const SHOWN_MS = 60_000;
const HIDDEN = `whsec_${'•'.repeat(24)}`;

/**
 * The secret that signs every delivery: hidden, shown on demand, and replaced without deliveries
 * that their receiver can't verify.
 */
export function SecretCard({ overlapUntil }: { overlapUntil: string | null }) {
  const t = useTranslations('panel.webhooks.secret');
  const textOf = useErrorText();
  const { instant } = useFormats();
  const [dialog, setDialog] = useState<'rotate' | 'end' | null>(null);
  const hiding = useTimeout(() => hide(), SHOWN_MS);
  const reveal = api.webhooks.revealSecret.useMutation({ onSuccess: hiding.start });
  const hide = () => {
    hiding.clear();
    reveal.reset();
  };
  const secret = reveal.data?.secret;
  return (
    <Section title={t('title')} text={t('text')}>
      <Group gap="xs" align="stretch">
        <Code className={classes.secret} data-testid="webhook-secret">
          {secret ?? (
            <>
              <span className="visually-hidden">{t('hidden')}</span>
              <span aria-hidden>{HIDDEN}</span>
            </>
          )}
        </Code>
        <Button variant="default" loading={reveal.isPending} onClick={() => (secret ? hide() : reveal.mutate())}>
          {t(secret ? 'hide' : 'show')}
        </Button>
        {secret && <CopyButton value={secret} label={t('copy')} />}
        <Button variant="default" disabled={overlapUntil !== null} onClick={() => setDialog('rotate')}>
          {t('rotate')}
        </Button>
      </Group>
      <ErrorAlert text={reveal.error && reasonOf(reveal.error) !== 'confirmation_required' && textOf(reveal.error)} />
      {overlapUntil && (
        <Alert color="yellow" variant="light" p="sm" icon={<Icon of={IconClock} size={18} />}>
          <Group justify="space-between" gap="xs">
            <Text fz="sm" flex="1 1 280px">
              {t('overlap', { until: instant(overlapUntil) })}
            </Text>
            <Button size="xs" variant="default" onClick={() => setDialog('end')}>
              {t('endOverlap')}
            </Button>
          </Group>
        </Alert>
      )}
      <Suspense fallback={null}>
        {dialog === 'rotate' && (
          <RotateSecretDialog
            onClose={() => {
              hide();
              setDialog(null);
            }}
          />
        )}
        {dialog === 'end' && <EndOverlapDialog until={overlapUntil} onClose={() => setDialog(null)} />}
      </Suspense>
    </Section>
  );
}
