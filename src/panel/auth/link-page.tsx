'use client';

import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useState } from 'react';
import { useIssueText } from '#panel/shell/issue-text.ts';
import { TextLink } from '#panel/shell/links.tsx';
import { type AuthAnswer, authCall, readLink } from './auth-call.ts';
import { AuthCard } from './auth-card.tsx';
import classes from './link-page.module.css';
import { PasswordField } from './password-field.tsx';
import { useAuthErrorText } from './use-auth-error-text.ts';

type CallError = Extract<AuthAnswer, { ok: false }>;
type Opens = { merchant_name: string; email: string; name?: string };

/**
 * Where the link of a message leads: shows what it would open, and opens it with the password that is chosen here. Looking at the page
 * changes nothing, for programs that look at mail open it too.
 */
export function LinkPage({ kind, token }: { kind: 'signUp' | 'invitation'; token: string }) {
  const t = useTranslations('auth');
  const textOf = useAuthErrorText();
  const textOfIssue = useIssueText();
  const [opens, setOpens] = useState<Opens | null>(null);
  const [password, setPassword] = useState('');
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CallError | null>(null);
  const isInvitation = kind === 'invitation';

  useEffect(() => {
    void readLink(isInvitation ? 'invitationLink' : 'signUpLink', token).then((answer) =>
      answer.ok ? setOpens(answer.data as Opens) : setError(answer),
    );
  }, [isInvitation, token]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    const answer = isInvitation
      ? await authCall('/invitation/accept', { token, name, password })
      : await authCall('/sign-up/complete', { token, password });
    if (answer.ok) return window.location.assign(isInvitation ? '/' : '/test/comecar');
    setBusy(false);
    setError(answer);
  };

  if (!opens) {
    if (error?.error !== 'link_over')
      return <AuthCard title={t('linkLoading')}>{error && <Refusal text={textOf(error)} />}</AuthCard>;
    return (
      <AuthCard title={t('linkTitle')} text={`${t('linkText')} ${isInvitation ? t('inviteOver') : ''}`}>
        <TextLink href={isInvitation ? '/entrar' : '/cadastro'} label={t(isInvitation ? 'signIn' : 'linkSignUp')} />
      </AuthCard>
    );
  }
  return (
    <AuthCard
      title={t(isInvitation ? 'inviteTitle' : 'confirmTitle')}
      text={t(isInvitation ? 'inviteText' : 'confirmText')}
    >
      <dl className={classes.fields}>
        <dt>{t('merchantName')}</dt>
        <dd>{opens.merchant_name}</dd>
        <dt>{t('email')}</dt>
        <dd>{opens.email}</dd>
        {opens.name !== undefined && (
          <>
            <dt>{t('name')}</dt>
            <dd>{opens.name}</dd>
          </>
        )}
      </dl>
      <form onSubmit={submit}>
        {/* For whatever keeps passwords: whose this one is. */}
        <input type="hidden" name="username" autoComplete="username" value={opens.email} />
        <Stack gap="sm">
          {error && <Refusal text={error.fields.name ? textOfIssue(error.fields.name) : textOf(error)} />}
          {isInvitation && (
            <TextInput
              label={t('name')}
              autoComplete="name"
              required
              withAsterisk={false}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          )}
          <PasswordField
            label={t('password')}
            description={t('passwordHint')}
            autoComplete="new-password"
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" fullWidth loading={busy}>
            {t(isInvitation ? 'accept' : 'open')}
          </Button>
        </Stack>
      </form>
    </AuthCard>
  );
}

function Refusal({ text }: { text: string }) {
  return (
    <Alert color="red" variant="light" role="alert">
      {text}
    </Alert>
  );
}
