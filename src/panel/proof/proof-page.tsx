'use client';

import { Button, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { ProofOutput } from '#contract/ledger/proof-output.ts';
import { api } from '#panel/api.tsx';
import { CodeBlock } from '#panel/shell/code-block.tsx';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { Icon } from '#panel/shell/icon.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { useFileAddress } from '#panel/use-file-address.ts';
import { useFormats } from '#panel/use-formats.ts';
import { ProofCheck } from './proof-check.tsx';

type Head = NonNullable<ProofOutput['head']>;

/**
 * Prova: the last signed head of the ledger, the balances that the entries come to, recomputed in
 * the browser, and the file that proves them elsewhere.
 */
export function ProofPage() {
  const t = useTranslations('panel.proof');
  const fileAddress = useFileAddress();
  const query = api.proof.get.useQuery();
  const { head, entries = 0 } = query.data ?? {};
  const address = head && entries > 0 ? fileAddress('export', 'proof.json', { day: head.day }) : null;
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={
        address && (
          <Button
            component="a"
            href={address}
            download
            variant="default"
            leftSection={<Icon of={IconDownload} size={16} />}
          >
            {t('download')}
          </Button>
        )
      }
    >
      <QueryState query={query} skeleton={[190, 230, 150]}>
        {(proof) =>
          proof.head ? (
            <Stack gap="xl">
              <LastHead head={proof.head} entries={proof.entries} />
              {address ? (
                <>
                  <ProofCheck address={address} head={proof.head} entries={proof.entries} />
                  <Elsewhere head={proof.head} />
                </>
              ) : (
                <EmptyState title={t('none.title')} text={t('none.text')} />
              )}
            </Stack>
          ) : (
            <EmptyState title={t('notYet.title')} text={t('notYet.text')} />
          )
        }
      </QueryState>
    </Page>
  );
}

function LastHead({ head, entries }: { head: Head; entries: number }) {
  const t = useTranslations('panel.proof');
  const formats = useFormats();
  return (
    <Section title={t('head')} text={t('headText')}>
      <FieldList
        folds
        width={160}
        fields={[
          [t('day'), formats.day(head.day)],
          [t('signedAt'), formats.instantExactly(head.signed_at)],
          [t('entries'), t('count', { entries })],
          [t('hash'), <CopyText key="hash" value={head.hash} label={t('hash')} />, 'wide'],
          [
            t('auditHash'),
            head.audit_hash ? <CopyText key="audit" value={head.audit_hash} label={t('auditHash')} /> : '—',
            'wide',
          ],
          [t('publicKey'), <CopyText key="key" value={head.public_key} label={t('publicKey')} />, 'wide'],
        ]}
      />
    </Section>
  );
}

/** How to check the file on a machine without this service. */
function Elsewhere({ head }: { head: Head }) {
  const t = useTranslations('panel.proof');
  const commands = [
    `python3 docs/verify.py ${t('file')} ${head.public_key}`,
    `npm run --silent trilho -- ledger verify ${t('file')} --key ${head.public_key}`,
  ];
  return (
    <Section title={t('elsewhere')} text={t('elsewhereText')}>
      <CodeBlock title={t('commands')} text={commands.join('\n')} />
    </Section>
  );
}
