import { Alert, NativeSelect, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { ApiKeyOutput } from '#contract/api-keys/api-keys.ts';
import { api } from '#panel/api.tsx';
import { serviceNow } from '#panel/connection/service-clock.ts';
import { reasonOf } from '#panel/shell/call-error.ts';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { displayKey } from './key-text.ts';
import type { NewKey } from './new-key-dialog.tsx';

const OVERLAPS = ['0', '1', '24', '72', '168'] as const;
type Overlap = (typeof OVERLAPS)[number];
const HOUR_MS = 3_600_000;

type Props = { apiKey: ApiKeyOutput; onClose: () => void; onRotated: (made: NewKey) => void };

/** Asks how long the old key is to go on working, and says until when that is. */
export function RotateDialog({ apiKey, onClose, onRotated }: Props) {
  const t = useTranslations('panel.keys.rotate');
  const { instant } = useFormats();
  const utils = api.useUtils();
  const [overlap, setOverlap] = useState<Overlap>('24');
  const rotate = api.keys.rotate.useMutation({
    async onSuccess({ key, api_key, replaced }) {
      onRotated({ key, apiKey: api_key, replaced });
      await utils.keys.list.invalidate();
    },
  });
  const now = serviceNow().getTime();
  const expiresAt = apiKey.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(apiKey.expires_at);
  const until = new Date(Math.min(now + Number(overlap) * HOUR_MS, expiresAt));
  const lifetimeMs = expiresAt - Date.parse(apiKey.created_at);
  return (
    <FormDialog
      title={t('title', { name: apiKey.name })}
      submit={t('confirm')}
      cancel={t('cancel')}
      call={rotate}
      errorText={reasonOf(rotate.error) === 'invalid_state' ? t('notNow') : null}
      onSubmit={() => rotate.mutate({ key_id: apiKey.key_id, overlap_hours: Number(overlap) })}
      onClose={onClose}
    >
      <Text fz="sm">{t('text')}</Text>
      {Number.isFinite(lifetimeMs) && <Text fz="sm">{t('lifetime', { at: instant(new Date(now + lifetimeMs)) })}</Text>}
      <NativeSelect
        label={t('overlap')}
        value={overlap}
        onChange={({ currentTarget }) => setOverlap(currentTarget.value as Overlap)}
        data={OVERLAPS.map((value) => ({ value, label: t(`overlaps.${value}`) }))}
        data-autofocus
      />
      <Alert color={overlap === '0' ? 'yellow' : 'accent'} variant="light" p="sm" aria-live="polite">
        {overlap === '0'
          ? t('atOnce', { key: displayKey(apiKey) })
          : t('until', { key: displayKey(apiKey), at: instant(until) })}
      </Alert>
    </FormDialog>
  );
}
