import { Button, Group } from '@mantine/core';
import { IconDownload, IconEraser } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { saveFile } from '#panel/exports/save-file.ts';
import { Icon } from '#panel/shell/icon.tsx';
import { Section } from '#panel/shell/section.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { usePanel } from '#panel/shell/use-panel.ts';

const EraseDialog = lazyPart(() => import('./erase-dialog.tsx'), 'EraseDialog');

/** What a person may ask for who is in the account's data (LGPD): a copy of it, and its erasure. */
export function PersonalData({ id }: { id: string }) {
  const t = useTranslations('panel.customers.data');
  const { may } = usePanel();
  const notify = useNotify();
  const [isErasing, setErasing] = useState(false);
  const file = api.customers.export.useMutation({
    onSuccess({ name, text }) {
      saveFile(new Blob([text], { type: 'application/json' }), name);
      notify.done(t('exported'));
    },
    onError: notify.failed,
  });
  if (!may('customers.export') && !may('customers.erase')) return null;
  return (
    <Section title={t('title')} text={t('text')}>
      <Group gap="xs">
        {may('customers.export') && (
          <Button
            variant="default"
            leftSection={<Icon of={IconDownload} size={16} />}
            loading={file.isPending}
            onClick={() => file.mutate({ customer_id: id })}
          >
            {t('export')}
          </Button>
        )}
        {may('customers.erase') && (
          <Button
            variant="default"
            color="red"
            leftSection={<Icon of={IconEraser} size={16} />}
            onClick={() => setErasing(true)}
          >
            {t('erase')}
          </Button>
        )}
      </Group>
      <Suspense fallback={null}>{isErasing && <EraseDialog id={id} onClose={() => setErasing(false)} />}</Suspense>
    </Section>
  );
}
