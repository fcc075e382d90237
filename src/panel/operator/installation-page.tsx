'use client';

import { Button, Radio, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { InstallationRail } from '#contract/operator/installation.ts';
import { SIGN_UP_POLICIES, type SignUpPolicy } from '#domain/members/sign-up-policy.ts';
import { DataTable } from '#panel/shell/data-table.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';
import { operatorApi } from './operator-api.tsx';
import classes from './operator-table.module.css';
import { ReasonDialog } from './reason-dialog.tsx';
import { whenRejected } from './when-rejected.ts';

/** What applies to every account: which rails are on, and who may open accounts. */
export function InstallationPage() {
  const t = useTranslations('operator.installation');
  const found = operatorApi.installation.get.useQuery();
  return (
    <Page title={t('title')} description={t('description')}>
      <QueryState query={found} skeleton={[260, 160]}>
        {({ rails, sign_up: policy }) => (
          <Stack gap="md">
            <Rails rails={rails} />
            <SignUp policy={policy} />
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}

function Rails({ rails }: { rails: readonly InstallationRail[] }) {
  const t = useTranslations('operator.installation');
  const formats = useFormats();
  const after = useAfterChange();
  const [closing, setClosing] = useState<InstallationRail['rail'] | null>(null);
  const openDone = after(t('isOpen'));
  const open = operatorApi.installation.openRail.useMutation(openDone);
  const close = operatorApi.installation.closeRail.useMutation(after(t('isClosed'), () => setClosing(null)));
  return (
    <Section title={t('rails')} text={t('railsText')}>
      <DataTable
        folds="tablet"
        classes={classes}
        label={t('rails')}
        rows={rails}
        keyOf={({ rail }) => rail}
        title={(name) => t(`columns.${name}`)}
        columns={[
          { name: 'rail', isHead: true, cell: ({ rail }) => t(`rail.${rail}`) },
          {
            name: 'state',
            cell: ({ closed }) => <StatusBadge tone={closed ? 'bad' : 'ok'} label={t(closed ? 'off' : 'on')} />,
          },
          {
            name: 'why',
            cell: ({ closed }) =>
              closed && (
                <>
                  {closed.reason}
                  <Muted fz="xs">{t('since', { at: formats.instant(closed.at), by: closed.by })}</Muted>
                </>
              ),
          },
          {
            name: 'act',
            cell: ({ rail, closed }) => (
              <Button
                size="xs"
                variant="default"
                aria-label={`${t(closed ? 'open' : 'close')}: ${t(`rail.${rail}`)}`}
                loading={open.isPending && open.variables.rail === rail}
                onClick={() => (closed ? open.mutate({ rail }) : setClosing(rail))}
              >
                {t(closed ? 'open' : 'close')}
              </Button>
            ),
          },
        ]}
      />
      {closing && (
        <ReasonDialog
          isDanger
          title={`${t(`rail.${closing}`)}: ${t('closeTitle')}`}
          text={t('closeText')}
          submit={t('close')}
          call={close}
          onSubmit={(reason) => close.mutate({ rail: closing, reason })}
          onClose={() => setClosing(null)}
        />
      )}
    </Section>
  );
}

function SignUp({ policy }: { policy: SignUpPolicy }) {
  const t = useTranslations('operator.installation');
  const after = useAfterChange();
  const done = after(t('signUpSet'));
  const set = operatorApi.installation.setSignUp.useMutation(done);
  const shown = set.isPending ? set.variables.sign_up : policy;
  return (
    <Section title={t('signUp')} text={t('signUpText')}>
      <Radio.Group
        label={t('signUp')}
        labelProps={{ className: 'visually-hidden' }}
        value={shown}
        // Disabled meanwhile, the choice would lose the keyboard's focus.
        onChange={(value) => set.isPending || set.mutate({ sign_up: value as SignUpPolicy })}
      >
        <Stack gap="xs">
          {SIGN_UP_POLICIES.map((one) => (
            <Radio key={one} value={one} label={t(`policies.${one}`)} />
          ))}
        </Stack>
      </Radio.Group>
    </Section>
  );
}

/** Options of a mutation: what is shown is read again, and the change is confirmed in words. */
function useAfterChange() {
  const notify = useNotify();
  const utils = operatorApi.useUtils();
  const refresh = () => Promise.all([utils.installation.invalidate(), utils.overview.invalidate()]);
  return (text: string, then?: () => void) => ({
    async onSuccess() {
      await refresh();
      notify.done(text);
      then?.();
    },
    // A dialog shows its own error.
    ...(!then && { onError: notify.failed }),
    ...whenRejected(refresh),
  });
}
