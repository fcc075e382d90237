'use client';

import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useRef, useState } from 'react';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { useIssueText } from '#panel/shell/issue-text.ts';
import { TextLink } from '#panel/shell/links.tsx';
import { type AuthAnswer, signUpCall } from './auth-call.ts';
import { AuthCard } from './auth-card.tsx';
import { useAuthErrorText } from './use-auth-error-text.ts';
import { useEmailDraft } from './use-email-draft.ts';

const FIELDS = ['merchant_name', 'document', 'name', 'email'] as const;

/** A new merchant. `mailFolder`: mail goes into a folder here, which whoever tries the demonstration has to know. */
export function SignUpPage({ mailFolder }: { mailFolder: boolean }) {
  const t = useTranslations('auth');
  const textOf = useAuthErrorText();
  const textOfIssue = useIssueText();
  const { email, setEmail, clear } = useEmailDraft();
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Extract<AuthAnswer, { ok: false }> | null>(null);
  const [sent, setSent] = useState<Record<string, string> | null>(null);
  const [resent, setResent] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    setBusy(true);
    setError(null);
    const answer = await signUpCall(values);
    setBusy(false);
    if (answer.ok) {
      clear();
      return setSent(values);
    }
    setError(answer);
    // The cursor goes to the first thing that has to be mended.
    const first = FIELDS.find((name) => answer.fields[name]);
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
  };

  if (sent !== null) {
    const resend = async () => {
      const answer = await signUpCall(sent);
      if (answer.ok) setResent(true);
      else setError(answer);
    };
    return (
      <AuthCard title={t('sentTitle')} text={t('sentText', { email: sent.email ?? '' })}>
        <ErrorAlert text={error && textOf(error)} />
        {mailFolder && (
          <Alert color="yellow" variant="light">
            {t('sentFolder')}
          </Alert>
        )}
        <Button variant="default" onClick={resend} disabled={resent}>
          {t(resent ? 'resent' : 'resend')}
        </Button>
      </AuthCard>
    );
  }
  const errorOf = (name: (typeof FIELDS)[number]) => {
    const issue = error?.fields[name];
    return issue && textOfIssue(issue);
  };
  return (
    <AuthCard
      title={t('signUpTitle')}
      text={t('signUpText')}
      footer={
        <>
          {t('haveAccount')}
          <TextLink href="/entrar" label={t('signIn')} />
        </>
      }
    >
      <form onSubmit={submit} ref={form}>
        <Stack gap="sm">
          {mailFolder && (
            <Alert color="yellow" variant="light">
              {t('folderNotice')}
            </Alert>
          )}
          <ErrorAlert text={error && textOf(error)} />
          <TextInput
            label={t('merchantName')}
            name="merchant_name"
            autoComplete="organization"
            required
            withAsterisk={false}
            error={errorOf('merchant_name')}
          />
          <TextInput
            label={t('document')}
            name="document"
            autoComplete="off"
            required
            withAsterisk={false}
            error={errorOf('document')}
          />
          <TextInput
            label={t('name')}
            name="name"
            autoComplete="name"
            required
            withAsterisk={false}
            error={errorOf('name')}
          />
          <TextInput
            label={t('email')}
            name="email"
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            error={errorOf('email')}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Button type="submit" fullWidth loading={busy}>
            {t('signUp')}
          </Button>
        </Stack>
      </form>
    </AuthCard>
  );
}
