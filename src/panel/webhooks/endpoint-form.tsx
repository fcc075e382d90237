import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import type { EndpointOutput } from '#contract/webhooks/webhooks.ts';
import { TEST_RECEIVER_URL } from '#domain/webhooks/test-receiver.ts';
import { api } from '#panel/api.tsx';
import { loadPart } from '#panel/connection/lazy-part.ts';
import { useDraft } from '#panel/drafts/use-draft.ts';
import { fieldIssues, useErrorText } from '#panel/shell/call-error.ts';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useSchemaRules } from '#panel/shell/schema-rules.ts';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useIssueText } from '../shell/use-issue-text.ts';
import classes from './endpoint-list.module.css';

/** Matches an address with a password in it, which is rejected and must not be kept as a draft. */
const PASSWORD = /:[^/]*@/;

type Props = {
  endpoint: EndpointOutput;
  /** The other topics that have no destination yet. */
  empty: readonly EndpointOutput[];
  onClose: () => void;
};

/**
 * The form of a topic's destination. The server checks the address, because what it may be depends
 * on the account.
 */
export function EndpointForm({ endpoint, empty, onClose }: Props) {
  const t = useTranslations('panel.webhooks');
  const textOf = useErrorText();
  const textOfIssue = useIssueText();
  const notify = useNotify();
  const utils = api.useUtils();
  const input = useRef<HTMLInputElement>(null);
  // The built-in receiver has no address to edit: a typed one replaces it.
  const url = endpoint.url === TEST_RECEIVER_URL ? '' : (endpoint.url ?? '');
  const rules = useSchemaRules<{ url: string; everywhere: boolean }>({
    load: () => loadPart(() => import('#contract/webhooks/webhooks.ts')).then((contract) => contract.setEndpointInput),
    wire: (typed) => ({ topic: endpoint.topic, url: typed.url }),
  });
  const form = useForm({
    initialValues: { url, everywhere: false },
    validate: rules.validate,
    onValuesChange: rules.prepare,
  });
  const { values } = form;
  const kept = { ...values, url: PASSWORD.test(values.url) ? url : values.url };
  const draft = useDraft(`webhook ${endpoint.topic}`, kept, form.setValues);
  const close = () => {
    draft.clear();
    onClose();
  };
  const name = t(`topics.${endpoint.topic}`);
  const set = api.webhooks.setEndpoint.useMutation();
  const save = async ({ url, everywhere }: typeof form.values) => {
    try {
      for (const { topic } of [endpoint, ...(everywhere ? empty : [])]) await set.mutateAsync({ topic, url });
    } catch (error) {
      const { url: wrong } = fieldIssues(error);
      if (wrong) form.setErrors({ url: textOfIssue(wrong) });
      input.current?.focus();
      return;
    }
    notify.done(t('form.saved', { topic: name }));
    await utils.webhooks.invalidate();
    close();
  };
  return (
    <form onSubmit={form.onSubmit(save, () => input.current?.focus())} noValidate className={classes.form}>
      <Stack gap="sm">
        <TextInput
          {...form.getInputProps('url')}
          ref={input}
          type="url"
          inputMode="url"
          label={t('form.url', { topic: name })}
          description={t(`endpoints.events.${endpoint.topic}`)}
          placeholder="https://suaempresa.com.br/webhooks"
          autoComplete="off"
          spellCheck={false}
          autoFocus
        />
        {empty.length > 0 && (
          <Checkbox
            {...form.getInputProps('everywhere', { type: 'checkbox' })}
            label={t('form.everywhere', { topics: empty.map(({ topic }) => t(`topics.${topic}`)).join(', ') })}
          />
        )}
        {endpoint.url !== null && endpoint.waiting > 0 && (
          <Muted>{t('form.waitingFollow', { count: endpoint.waiting })}</Muted>
        )}
        {endpoint.held > 0 && <Muted>{t('form.held', { count: endpoint.held })}</Muted>}
        <ErrorAlert text={set.error && Object.keys(fieldIssues(set.error)).length === 0 && textOf(set.error)} />
        <Group gap="xs">
          <Button type="submit" size="sm" loading={set.isPending}>
            {t('form.save')}
          </Button>
          <Button variant="default" size="sm" onClick={close}>
            {t('cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
