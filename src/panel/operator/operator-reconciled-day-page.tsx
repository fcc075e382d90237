'use client';

import { Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ReconciledDay } from '#panel/reconciliation/reconciled-day.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { operatorApi } from './operator-api.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { whenRejected } from './when-rejected.ts';

/** One day of one PSP's books. */
export function OperatorReconciledDayPage({ id }: { id: string }) {
  const t = useTranslations('operator.reconciliation');
  const texts = useTranslations('panel.reconciliation');
  const query = operatorApi.reconciliation.get.useQuery({ day_id: id });
  return (
    <Page title={texts('day.title')} description={<TextLink href="/operator/conciliacao" label={t('title')} />} wide>
      <QueryState query={query} skeleton={[60, 300, 160]}>
        {(found) => (
          <>
            <ReconciledDay {...found} hrefOf={null} />
            {found.day.differences !== null && !found.day.acknowledged && (
              <Acknowledge dayId={id} differences={found.day.differences} />
            )}
          </>
        )}
      </QueryState>
    </Page>
  );
}

/** Notes what differs, with a reason. */
function Acknowledge({ dayId, differences }: { dayId: string; differences: string }) {
  const t = useTranslations('operator.reconciliation');
  const notify = useNotify();
  const utils = operatorApi.useUtils();
  const [isOpen, setOpen] = useState(false);
  const onClose = () => setOpen(false);
  const refresh = () => utils.reconciliation.invalidate();
  const acknowledge = operatorApi.reconciliation.acknowledge.useMutation({
    ...notify.afterDialog(t('isNoted'), { refresh, onClose }),
    ...whenRejected(refresh),
  });
  return (
    <>
      <Button variant="default" mt="lg" onClick={() => setOpen(true)}>
        {t('note')}
      </Button>
      {isOpen && (
        <ReasonDialog
          title={t('note')}
          text={t('noteText')}
          submit={t('note')}
          call={acknowledge}
          onSubmit={(reason) => acknowledge.mutate({ day_id: dayId, differences, reason })}
          onClose={onClose}
        />
      )}
    </>
  );
}
