'use client';

import '@mantine/core/styles/UnstyledButton.css';
import '@mantine/core/styles/Button.css';
import '@mantine/core/styles/Loader.css';
import '@mantine/core/styles/Input.css';
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { keyKind } from './key-kind.ts';
import { TryAnswerView } from './try-answer-view.tsx';
import classes from './try-it.module.css';
import type { TryOperation } from './try-request.ts';
import { useTry } from './use-try.ts';

/** The cursor goes to what is wrong once it is marked so. */
const FIRST_FAULT = '[aria-invalid="true"]';
/** A password manager would offer to keep the key. */
const NOT_REMEMBERED = { autoComplete: 'off', autoCorrect: 'off', spellCheck: false, 'data-1p-ignore': true } as const;

/**
 * Sends a request with a test key, from this page to its own origin. The key lives in this
 * component's memory: no field has a name, so that not even a form sent by the browser itself could
 * carry it.
 */
export function TryIt({ operations }: { operations: [TryOperation, ...TryOperation[]] }) {
  const t = useTranslations('docs.tryIt');
  const form = useRef<HTMLFormElement>(null);
  const [operation, setOperation] = useState<TryOperation>(operations[0]);
  const [apiKey, setApiKey] = useState('');
  const [parameters, setParameters] = useState<Record<string, string>>({});
  const [bodies, setBodies] = useState<Record<string, string>>({});
  const { issues, outcome, send, reset, setKeyIssue } = useTry();
  const ready = useReady();

  const choose = (id: string) => {
    setOperation(operations.find((one) => one.id === id) ?? operations[0]);
    reset();
  };
  useTryLinks(choose);

  const body = bodies[operation.id] ?? operation.body ?? '';

  const enterKey = (text: string) => {
    const isLive = keyKind(text) === 'live';
    setApiKey(isLive ? '' : text);
    setKeyIssue(isLive ? 'liveKey' : undefined);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = await send(operation, { apiKey, parameters, body });
    if (found) requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(FIRST_FAULT)?.focus());
  };

  return (
    <div className={classes.tryIt}>
      <form ref={form} onSubmit={submit} noValidate>
        <fieldset className={classes.fields} disabled={!ready}>
          <legend className="visually-hidden">{t('title')}</legend>
          <NativeSelect
            label={t('operation')}
            value={operation.id}
            onChange={(event) => choose(event.currentTarget.value)}
            data={operations.map(({ id, method, path }) => ({ value: id, label: `${method} ${path}` }))}
          />
          <TextInput
            label={t('apiKey')}
            description={t('apiKeyHint')}
            value={apiKey}
            onChange={(event) => enterKey(event.currentTarget.value)}
            error={issues.apiKey && t(issues.apiKey)}
            classNames={{ input: classes.code, description: classes.hint }}
            {...NOT_REMEMBERED}
          />
          {operation.parameters.map(({ name, required, placeholder }) => (
            <TextInput
              key={name}
              label={required ? name : `${name} (${t('optional')})`}
              placeholder={placeholder}
              value={parameters[name] ?? ''}
              onChange={(event) => setParameters({ ...parameters, [name]: event.currentTarget.value })}
              error={issues.parameters.includes(name) && t('missing')}
              classNames={{ input: classes.code }}
              {...NOT_REMEMBERED}
            />
          ))}
          {operation.body !== null && (
            <Textarea
              label={t('body')}
              value={body}
              onChange={(event) => setBodies({ ...bodies, [operation.id]: event.currentTarget.value })}
              error={issues.body && t('badJson')}
              rows={Math.min(Math.max(body.split('\n').length, 4), 14)}
              classNames={{ input: classes.code }}
              {...NOT_REMEMBERED}
            />
          )}
          <div>
            <Button type="submit" disabled={outcome?.kind === 'sending'}>
              {outcome?.kind === 'sending' ? t('sending') : t('send')}
            </Button>
          </div>
        </fieldset>
      </form>
      <TryAnswerView outcome={outcome} />
    </div>
  );
}

/** Before React is awake, what was typed would be lost. */
function useReady(): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return ready;
}

/** The links beside the operations lead here, and choose theirs. */
function useTryLinks(choose: (operationId: string) => void) {
  const latest = useRef(choose);
  useEffect(() => {
    latest.current = choose;
  });
  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      const id = target instanceof Element && target.closest<HTMLElement>('a[data-try]')?.dataset.try;
      if (id) latest.current(id);
    };
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, []);
}
