'use client';

import { Anchor, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { KycDocumentOutput } from '#contract/kyc/kyc.ts';
import { FieldList } from '#panel/shell/field-list.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { operatorApi } from './operator-api.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

/** One verification: what was typed beside what was uploaded, and the decision. */
export function OperatorVerificationPage({ id }: { id: string }) {
  const t = useTranslations('operator.verification');
  const kyc = useTranslations('panel.kyc');
  const nameOf = (field: string) => {
    const text = `fields.${field}` as 'fields.name';
    return kyc.has(text) ? kyc(text) : field;
  };
  const found = operatorApi.verifications.get.useQuery({ id });
  const { data } = found;
  return (
    <Page
      wide
      title={data?.verification.merchant_name ?? t('title')}
      description={data?.verification.email}
      actions={data?.verification.decision === 'submitted' && <DecisionButtons id={id} />}
    >
      <QueryState query={found} skeleton={[300]}>
        {({ verification, form, documents }) => (
          <Stack gap="md">
            {verification.decision !== 'submitted' && (
              <Text fz="sm">
                {t(`decided.${verification.decision}`)} {verification.reason}
              </Text>
            )}
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <Section title={t('typed')}>
                <FieldList fields={Object.entries(form).map(([field, value]) => [nameOf(field), value] as const)} />
              </Section>
              <Section title={t('documents')}>
                <Stack gap="md">
                  {documents.map((document) => (
                    <UploadedDocument key={document.id} verificationId={id} document={document} />
                  ))}
                </Stack>
              </Section>
            </SimpleGrid>
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}

/** A picture is shown, anything else is a file to open elsewhere. */
function UploadedDocument(props: { verificationId: string; document: KycDocumentOutput }) {
  const { verificationId, document } = props;
  const kyc = useTranslations('panel.kyc.documents');
  const url = `/operator/api/document?verification=${verificationId}&document=${document.id}`;
  const isPicture = /\.(jpe?g|png)$/i.test(document.file_name);
  return (
    <div>
      <Text fz="sm" fw={500}>
        {kyc(document.kind)}
      </Text>
      <Anchor href={url} download fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {document.file_name}
      </Anchor>
      {isPicture && (
        // biome-ignore lint/performance/noImgElement: it is behind the operator's session, where no optimizer reads.
        <img src={url} alt={kyc(document.kind)} style={{ display: 'block', maxWidth: '100%', marginTop: 8 }} />
      )}
    </div>
  );
}

function DecisionButtons({ id }: { id: string }) {
  const t = useTranslations('operator.verification');
  const notify = useNotify();
  const utils = operatorApi.useUtils();
  const [isRejecting, setRejecting] = useState(false);
  const refresh = () => Promise.all([utils.verifications.get.invalidate(), utils.verifications.list.invalidate()]);
  const approve = operatorApi.verifications.approve.useMutation({ ...notify.after(t('done')), onSettled: refresh });
  const reject = operatorApi.verifications.reject.useMutation(
    notify.afterDialog(t('done'), { refresh, onClose: () => setRejecting(false) }),
  );
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => setRejecting(true)}>
        {t('reject')}
      </Button>
      <Button loading={approve.isPending} onClick={() => approve.mutate({ id })}>
        {t('approve')}
      </Button>
      {isRejecting && (
        <ReasonDialog
          title={t('rejectTitle')}
          text={t('rejectText')}
          submit={t('reject')}
          call={reject}
          onSubmit={(reason) => reject.mutate({ id, reason })}
          onClose={() => setRejecting(false)}
        />
      )}
    </Group>
  );
}
