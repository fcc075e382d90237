import { Alert, Stack, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { RequestView } from '#contract/requests/requests.ts';
import { api } from '#panel/api.tsx';
import { reasonOf } from '#panel/shell/call-error.ts';
import { CodeBlock } from '#panel/shell/code-block.tsx';
import { CopyButton } from '#panel/shell/copy-button.tsx';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { DetailDrawer } from '#panel/shell/detail-drawer.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { prettyBody } from '#panel/shell/pretty-body.ts';
import { QueryState } from '#panel/shell/query-state.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { When } from '#panel/shell/when.tsx';
import { Duration, RequestStatus } from './request-table.tsx';
import classes from './requests-page.module.css';
import { toCurl } from './to-curl.ts';

/** One request in a drawer beside the list; its address is the list's with the request's id. */
export function RequestDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  const t = useTranslations('panel.requests.detail');
  return (
    <DetailDrawer id={id} onClose={onClose} title={t('title')}>
      {(shown) => <Detail id={shown} />}
    </DetailDrawer>
  );
}

function Detail({ id }: { id: string }) {
  const t = useTranslations('panel.requests.detail');
  // A request that was logged does not change.
  const request = api.requests.get.useQuery({ id }, { staleTime: Number.POSITIVE_INFINITY, retry: false });
  const reason = reasonOf(request.error);
  if (reason === 'not_found' || reason === 'invalid_input') return <Alert color="yellow">{t('gone')}</Alert>;
  return (
    <QueryState query={request} skeleton={[320]}>
      {(data) => <RequestDetail request={data} />}
    </QueryState>
  );
}

function RequestDetail({ request }: { request: RequestView }) {
  const t = useTranslations('panel.requests');
  const { origin } = usePanel();
  const { method, path, request_body: body, response_body: answer } = request;
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Title order={2} fz="md" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          <span className={classes.method}>{method}</span> {path}
        </Title>
        <div>
          <RequestStatus status={request.status} />
        </div>
        <FieldList
          fields={[
            [t('detail.id'), <CopyText key="id" value={request.request_id} label={t('detail.id')} />],
            [t('detail.at'), <When key="at" at={request.at} seconds />],
            [t('detail.duration'), <Duration key="duration" ms={request.duration_ms} />],
            [t('detail.key'), request.key_name ?? t('unknownKey')],
          ]}
        />
      </Stack>
      {method !== 'GET' && method !== 'HEAD' && <Body title={t('detail.request')} body={body} />}
      <Body title={t('detail.response')} body={answer} />
      <Copied
        title={t('detail.curl')}
        text={toCurl({ baseUrl: origin, method, path, body })}
        copy={t('detail.copyCurl')}
        hint={t('detail.curlHint')}
      />
      <Muted>{t('detail.masked')}</Muted>
    </Stack>
  );
}

function Body({ title, body }: { title: string; body: string | null }) {
  const t = useTranslations('panel.requests.detail');
  if (body === null) {
    return (
      <section>
        <Title order={3} fz="sm" mb={4}>
          {title}
        </Title>
        <Muted>{t('none')}</Muted>
      </section>
    );
  }
  const { text, cut } = prettyBody(body);
  return <Copied title={title} text={text} copy={t('copyBody')} hint={cut && t('cut')} />;
}

type CopiedProps = { title: string; text: string; copy: string; hint: string | false };

const Copied = ({ title, text, copy, hint }: CopiedProps) => (
  <div>
    <CodeBlock title={title} text={text} aside={<CopyButton value={text} label={copy} size="compact-xs" />} />
    {hint && <Muted mt={4}>{hint}</Muted>}
  </div>
);
