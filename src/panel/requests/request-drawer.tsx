import { Alert, Drawer, Group, Stack, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { RequestView } from '#contract/requests/requests.ts';
import { api } from '#panel/api.tsx';
import { reasonOf } from '#panel/shell/call-error.ts';
import { CopyButton } from '#panel/shell/copy-button.tsx';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { Field } from '#panel/shell/field.tsx';
import list from '#panel/shell/fields.module.css';
import { Muted } from '#panel/shell/muted.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { When } from '#panel/shell/when.tsx';
import { prettyBody } from './pretty-body.ts';
import { RequestStatus } from './request-status.tsx';
import { Duration } from './request-table.tsx';
import classes from './requests-page.module.css';
import { toCurl } from './to-curl.ts';

/** One request beside the list; its address is the list's with the request in it. */
export function RequestDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  const t = useTranslations('panel.requests.detail');
  return (
    <Drawer opened={id !== null} onClose={onClose} position="right" size="lg" title={t('title')}>
      {id && <Detail id={id} />}
    </Drawer>
  );
}

function Detail({ id }: { id: string }) {
  const t = useTranslations('panel.requests.detail');
  // What happened does not change.
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
  const curl = toCurl({ baseUrl: origin, method, path, body });
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Title order={2} fz="md" className={classes.heading}>
          <span className={classes.method}>{method}</span> {path}
        </Title>
        <div>
          <RequestStatus status={request.status} />
        </div>
        <dl className={`${list.fields} ${classes.fields}`}>
          <Field name={t('detail.id')}>
            <CopyText value={request.request_id} label={t('detail.id')} />
          </Field>
          <Field name={t('detail.at')}>
            <When at={request.at} seconds />
          </Field>
          <Field name={t('detail.duration')}>
            <Duration ms={request.duration_ms} />
          </Field>
          <Field name={t('detail.key')}>{request.key_name ?? t('unknownKey')}</Field>
        </dl>
      </Stack>
      {method !== 'GET' && method !== 'HEAD' && <Body title={t('detail.request')} body={body} />}
      <Body title={t('detail.response')} body={answer} />
      <Block title={t('detail.curl')} text={curl} copy={t('detail.copyCurl')} hint={t('detail.curlHint')} />
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
  return <Block title={title} text={text} copy={t('copyBody')} hint={cut ? t('cut') : undefined} />;
}

function Block({ title, text, copy, hint }: { title: string; text: string; copy: string; hint?: string | undefined }) {
  return (
    <section>
      <Group justify="space-between" mb={4}>
        <Title order={3} fz="sm">
          {title}
        </Title>
        <CopyButton value={text} label={copy} size="compact-xs" />
      </Group>
      {/* A long one is scrolled inside itself, and so has to be reached with the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above. */}
      <section className={classes.code} tabIndex={0} aria-label={title}>
        <pre>{text}</pre>
      </section>
      {hint && <Muted mt={4}>{hint}</Muted>}
    </section>
  );
}
