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

/** Of each kind of link its page's texts, and where another one can be had. */
const KINDS = {
  signUp: { title: 'confirmTitle', text: 'confirmText', submit: 'open', another: '/cadastro', ask: 'linkSignUp' },
  invitation: { title: 'inviteTitle', text: 'inviteText', submit: 'accept', another: '/entrar', ask: 'signIn' },
  reset: { title: 'resetTitle', text: 'resetText', submit: 'reset', another: '/senha', ask: 'linkSignUp' },
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
  const isInvitation = kind === 'invitation';
  const { title, text, submit: label, another, ask } = KINDS[kind];

  useEffect(() => {
    void readLink(`${kind}Link`, token).then((answer) =>
      answer.ok ? setOpens(answer.data as Opens) : setError(answer),
    );
  }, [kind, token, setError]);

  const submit = async ({ name = '', password = '' }: Record<string, string>) => {
    if (opens?.member) {
      if (await call.run(authCall('/invitation/accept', { token }), { leaves: true })) window.location.assign('/');
      return;
    }
    if (kind === 'reset') {
      const isSet = await call.run(authCall('/reset-password', { token, newPassword: password }), { leaves: true });
      if (isSet) window.location.assign('/entrar?aviso=senha');
      return;
    }
    const asked = isInvitation
      ? checkedCall(schema, { token, name, password }, (values) => authCall('/invitation/accept', values))
      : authCall('/sign-up/complete', { token, password });
    if (await call.run(asked, { leaves: true })) window.location.assign(isInvitation ? '/' : '/test/comecar');
    const answer = await asked;
    if (!answer.ok && answer.fields.name) nameInput.current?.focus();
  };

  // Also where it was used, or became too old, while the page was open.
  const isOver = error?.error === 'link_over' || error?.error === 'INVALID_TOKEN';
  if (!opens || isOver) {
    if (!isOver)
      return (
        <AuthCard title={t('linkLoading')}>
          <ErrorAlert text={call.text} />
        </AuthCard>
      );
    return (
      <AuthCard title={t('linkTitle')} text={`${t('linkText')} ${isInvitation ? t('inviteOver') : ''}`}>
        <TextLink href={another} label={t(ask)} />
      </AuthCard>
    );
  }
  return (
    <AuthCard title={t(title)} text={t(opens.member ? 'inviteKnown' : text)}>
      <FieldList
        width={110}
        fields={[
          [t('merchantName'), opens.merchant_name],
          [t('email'), opens.email],
          [t('name'), opens.name],
          [t('role'), opens.role && t(`roles.${opens.role}`)],
        ]}
      />
      <AuthForm call={call} onSubmit={submit} submit={t(label)}>
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
