import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ProviderRail } from '#contract/providers/providers.ts';
import { api } from '#panel/api.tsx';
import { paramsOf, reasonOf } from '#panel/shell/call-error.ts';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';

import { useInFlightText } from './use-in-flight-text.ts';

type Props = Pick<ProviderRail, 'kind'> & {
  provider: NonNullable<ProviderRail['connected']>['provider'];
  isRequired: boolean;
  onClose: () => void;
};

/** Asks before an account's own credentials are disconnected. */
export function DisconnectDialog({ kind, provider, isRequired, onClose }: Props) {
  const t = useTranslations('panel.providers.disconnectDialog');
  const names = useTranslations('panel.providers.names');
  const inFlightText = useInFlightText();
  const notify = useNotify();
  const utils = api.useUtils();
  const disconnect = api.providers.disconnect.useMutation({
    ...notify.afterDialog(t('done'), { onClose }),
    onSettled: () => utils.invalidate(),
  });
  const { error } = disconnect;
  const counts = Object.fromEntries(Object.entries(paramsOf(error)).map(([part, count]) => [part, Number(count)]));
  return (
    <FormDialog
      isDanger
      title={t('title', { provider: names(provider) })}
      submit={t('submit')}
      call={disconnect}
      errorText={reasonOf(error) === 'credentials_in_use' && t('inUse', { what: inFlightText(counts) })}
      onSubmit={() => disconnect.mutate({ kind })}
      onClose={onClose}
    >
      <Text fz="sm">{t(isRequired ? 'textRequired' : 'text')}</Text>
    </FormDialog>
  );
}
