'use client';

import '@mantine/core/styles/UnstyledButton.css';
import '@mantine/core/styles/Button.css';
import '@mantine/core/styles/Loader.css';
import '@mantine/core/styles/Input.css';
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMounted, useWindowEvent } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { focusFirstError } from '#panel/shell/focus-first-error.ts';
import classes from './try-it.module.css';
import { keyIssue, sendTry, type TryAnswer, type TryOperation, type TryValues, tryIssues } from './try-request.ts';

/** A password manager would offer to store the key. */
const NOT_REMEMBERED = { autoComplete: 'off', autoCorrect: 'off', spellCheck: false, 'data-1p-ignore': true } as const;

/**
 * Sends a request with a test key, from this page to its own origin. The key is only in this
 * component's memory: no field has a name, so that not even a form sent by the browser itself could
 * carry it.
 */
export function TryIt({ operations }: { operations: TryOperation[] }) {
  const t = useTranslations('docs.tryIt');
  const [operation, setOperation] = useState(operations[0]);
  /** Undefined before anything was sent, null where no response came. */
  const [answer, setAnswer] = useState<TryAnswer | null>();
  // Before React hydrates the page, what was typed would be lost.
  const isReady = useMounted();
  const form = useForm<TryValues>({
    initialValues: {
      apiKey: '',
      parameters: Object.fromEntries(operations.flatMap(({ parameters }) => parameters.map(({ name }) => [name, '']))),
      bodies: Object.fromEntries(operations.map(({ id, body }) => [id, body ?? ''])),
    },
    // An issue stays marked until the next try.
    clearInputErrorOnChange: false,
    validate: (values) =>
      Object.fromEntries(
        Object.entries(operation ? tryIssues(operation, values) : {}).map(([path, issue]) => [path, t(issue)]),
      ),
  });

  const choose = (id: string) => {
    setOperation((before) => operations.find((one) => one.id === id) ?? before);
    form.setErrors(({ apiKey }) => ({ apiKey }));
    setAnswer(undefined);
  };
  // The links beside the operations lead here, and choose their operation.
  useWindowEvent('click', ({ target }) => {
    const id = target instanceof Element && target.closest<HTMLElement>('a[data-try]')?.dataset.try;
    if (id) choose(id);
  });
  if (!operation) return null;

  const enterKey = (text: string) => {
    const isLive = keyIssue(text) === 'liveKey';
    form.setFieldValue('apiKey', isLive ? '' : text);
    form.setFieldError('apiKey', isLive && t('liveKey'));
  };
  const submit = form.onSubmit(
    async (values) => setAnswer(await sendTry(operation, values)),
    (errors) => focusFirstError(form.getInputNode, errors, ''),
  );
  const body = `bodies.${operation.id}`;
  return (
    <div className={classes.tryIt}>
      <form onSubmit={submit} noValidate>
        <fieldset className={classes.fields} disabled={!isReady}>
          <legend className="visually-hidden">{t('title')}</legend>
          <NativeSelect
            label={t('operation')}
            value={operation.id}
            onChange={(event) => choose(event.currentTarget.value)}
            data={operations.map(({ id, method, path }) => ({ value: id, label: `${method} ${path}` }))}
          />
          <TextInput
            {...form.getInputProps('apiKey')}
            label={t('apiKey')}
            description={t('apiKeyHint')}
            onChange={(event) => enterKey(event.currentTarget.value)}
            classNames={{ input: classes.code, description: classes.hint }}
            {...NOT_REMEMBERED}
          />
          {operation.parameters.map(({ name, required, placeholder }) => (
            <TextInput
              {...form.getInputProps(`parameters.${name}`)}
              key={name}
              label={required ? name : `${name} (${t('optional')})`}
              placeholder={placeholder}
              classNames={{ input: classes.code }}
              {...NOT_REMEMBERED}
            />
          ))}
          {operation.body !== null && (
            <Textarea
              {...form.getInputProps(body)}
              label={t('body')}
              rows={Math.min(Math.max((form.values.bodies[operation.id] ?? '').split('\n').length, 4), 14)}
              classNames={{ input: classes.code }}
              {...NOT_REMEMBERED}
            />
          )}
          <div>
            <Button type="submit" disabled={form.submitting}>
              {form.submitting ? t('sending') : t('send')}
            </Button>
          </div>
        </fieldset>
      </form>
      <Answer answer={answer} isSending={form.submitting} />
    </div>
  );
}

/** The response: its status, the headers that matter, its body. */
function Answer({ answer, isSending }: { answer: TryAnswer | null | undefined; isSending: boolean }) {
  const t = useTranslations('docs.tryIt');
  const shown = isSending ? null : answer;
  return (
    <section className={classes.answer} aria-label={t('answer')}>
      <p className={classes.status} aria-live="polite" data-tone={shown && (shown.status < 400 ? 'good' : 'bad')}>
        {isSending && t('sending')}
        {shown && t('answered', { status: String(shown.status), ms: String(shown.ms) })}
        {shown === null && !isSending && t('noAnswer')}
        {shown === undefined && <span className={classes.empty}>{t('answer')}</span>}
      </p>
      {shown && (
        <>
          <dl className={classes.headers} aria-label={t('headers')}>
            {shown.headers.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <pre className={classes.body}>{shown.body}</pre>
        </>
      )}
    </section>
  );
}
