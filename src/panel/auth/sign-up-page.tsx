'use client';

import { Alert, Button, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { loadPart } from '#panel/connection/lazy-part.ts';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { useIssueText } from '#panel/shell/use-issue-text.ts';
import { signUpCall } from './auth-call.ts';
import { AuthCard } from './auth-card.tsx';
import { AuthForm } from './auth-form.tsx';
import { checkedCall } from './checked-call.ts';
import { useAuthCall } from './use-auth-call.ts';
import { useEmailDraft } from './use-email-draft.ts';

const FIELDS = ['merchant_name', 'document', 'name', 'email'] as const;

/**
 * Signs a new merchant up. `mailFolder`: the installation writes mail into a folder, which the page
 * says.
 */
export function SignUpPage({ mailFolder }: { mailFolder: boolean }) {
  const t = useTranslations('auth');
  const textOfIssue = useIssueText();
  const { input, clear } = useEmailDraft();
  const call = useAuthCall();
  const [sent, setSent] = useState<Record<string, string> | null>(null);
  const [resent, setResent] = useState(false);

  const submit = async (values: Record<string, string>) => {
    const asked = checkedCall(schema, values, signUpCall);
    if (await call.run(asked)) {
      clear();
      return setSent(values);
    }
    // The cursor goes to the first field with an issue.
    const answer = await asked;
    const first = FIELDS.find((name) => !answer.ok && answer.fields[name]);
    if (first) document.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
  };

  const folder = (text: 'sentFolder' | 'folderNotice') =>
    mailFolder && (
      <Alert color="yellow" variant="light">
        {t(text)}
      </Alert>
    );
  if (sent !== null) {
    const resend = async () => {
      if (await call.run(signUpCall(sent))) setResent(true);
    };
    return (
      <AuthCard title={t('sentTitle')} text={t('sentText', { email: sent.email ?? '' })}>
        <ErrorAlert text={call.text} />
        {folder('sentFolder')}
        <Button variant="default" onClick={resend} disabled={resent}>
          {t(resent ? 'resent' : 'resend')}
        </Button>
      </AuthCard>
    );
  }
  const field = (name: (typeof FIELDS)[number]) => {
    const issue = call.error?.fields[name];
    return { name, required: true, error: issue && textOfIssue(issue) };
  };
  const footer = (
    <>
      {t('haveAccount')}
      <TextLink href="/entrar" label={t('signIn')} />
    </>
  );
  return (
    <AuthCard title={t('signUpTitle')} text={t('signUpText')} footer={footer}>
      <AuthForm call={call} onSubmit={submit} submit={t('signUp')}>
        {folder('folderNotice')}
        <TextInput {...field('merchant_name')} label={t('merchantName')} autoComplete="organization" />
        <TextInput {...field('document')} label={t('document')} autoComplete="off" />
        <TextInput {...field('name')} label={t('name')} autoComplete="name" />
        <TextInput {...input} {...field('email')} />
      </AuthForm>
    </AuthCard>
  );
}

const schema = async () => (await loadPart(() => import('#contract/members/session.ts'))).signUpInput;
