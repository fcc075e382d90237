'use client';

import { TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import type { Role } from '#domain/members/roles.ts';
import { loadPart } from '#panel/connection/lazy-part.ts';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { useIssueText } from '../shell/use-issue-text.ts';
import { authCall, readLink } from './auth-call.ts';
import { AuthCard } from './auth-card.tsx';
import { AuthForm } from './auth-form.tsx';
import { checkedCall } from './checked-call.ts';
import { NewPasswordField } from './password-field.tsx';
import { useAuthCall } from './use-auth-call.ts';

const schema = async () => (await loadPart(() => import('#contract/members/session.ts'))).acceptInput;

type Opens = { merchant_name?: string; email: string; name?: string; role?: Role; member?: boolean };

/**
 * Of each kind of link what reads it, what its button says, where it leads to, and where another
 * one can be had.
 */
const KINDS = {
  confirm: { read: 'signUpLink', button: 'open', next: '/test/comecar', another: '/cadastro', ask: 'linkSignUp' },
  invite: { read: 'invitationLink', button: 'accept', next: '/', another: '/entrar', ask: 'signIn' },
  reset: { read: 'resetLink', button: 'reset', next: '/entrar?aviso=senha', another: '/senha', ask: 'linkSignUp' },
} as const;

/**
 * The page that the link of a message leads to: it shows what it would open, and opens it with the
 * password that is chosen here. Opening the page changes nothing, because programs that scan mail
 * open it too.
 */
export function LinkPage({ kind, token }: { kind: keyof typeof KINDS; token: string }) {
  const t = useTranslations('auth');
  const textOfIssue = useIssueText();
  const [opens, setOpens] = useState<Opens | null>(null);
  const nameInput = useRef<HTMLInputElement>(null);
  const call = useAuthCall();
  const { setError, error } = call;
  const isInvitation = kind === 'invite';
  const { read, button, next, another, ask } = KINDS[kind];

  useEffect(() => {
    void readLink(read, token).then((answer) => (answer.ok ? setOpens(answer.data as Opens) : setError(answer)));
  }, [read, token, setError]);

  const openLink = (name: string, password: string) => {
    if (kind === 'reset') return authCall('/reset-password', { token, newPassword: password });
    if (kind === 'confirm') return authCall('/sign-up/complete', { token, password });
    if (opens?.member) return authCall('/invitation/accept', { token });
    return checkedCall(schema, { token, name, password }, (values) => authCall('/invitation/accept', values));
  };
  const submit = async ({ name = '', password = '' }: Record<string, string>) => {
    const asked = openLink(name, password);
    if (await call.run(asked, { leaves: true })) window.location.assign(next);
    const answer = await asked;
    if (!answer.ok && answer.fields.name) nameInput.current?.focus();
  };

  // Also where it was used, or became too old, while the page was open.
  if (error?.error === 'link_over')
    return (
      <AuthCard title={t('linkTitle')} text={`${t('linkText')} ${isInvitation ? t('inviteOver') : ''}`}>
        <TextLink href={another} label={t(ask)} />
      </AuthCard>
    );
  if (!opens)
    return (
      <AuthCard title={t('linkLoading')}>
        <ErrorAlert text={call.text} />
      </AuthCard>
    );
  return (
    <AuthCard title={t(`${kind}Title`)} text={t(opens.member ? 'inviteKnown' : `${kind}Text`)}>
      <FieldList
        width={110}
        fields={[
          [t('merchantName'), opens.merchant_name],
          [t('email'), opens.email],
          [t('name'), opens.name],
          [t('role'), opens.role && t(`roles.${opens.role}`)],
        ]}
      />
      <AuthForm call={call} onSubmit={submit} submit={t(button)}>
        {/* For password managers: whose password this is. */}
        <input type="hidden" name="username" autoComplete="username" value={opens.email} />
        {isInvitation && !opens.member && (
          <TextInput
            ref={nameInput}
            label={t('name')}
            name="name"
            autoComplete="name"
            required
            error={error?.fields.name && textOfIssue(error.fields.name)}
          />
        )}
        {!opens.member && (
          <NewPasswordField label={t(kind === 'reset' ? 'newPassword' : 'password')} description={t('passwordHint')} />
        )}
      </AuthForm>
    </AuthCard>
  );
}
