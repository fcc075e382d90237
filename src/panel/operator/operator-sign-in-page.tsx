'use client';

import { Stack, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { AuthCard } from '#panel/auth/auth-card.tsx';
import { typedValues } from '#panel/auth/auth-form.tsx';
import { PasswordField } from '#panel/auth/password-field.tsx';
import { SubmitButton } from '#panel/auth/submit-button.tsx';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { safeNext } from '#panel/shell/sign-in-address.ts';

const HOME = '/operator';

/** E-mail, password and code in one step: there is no partial sign-in. */
export function OperatorSignInPage() {
  const t = useTranslations('operator.signIn');
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<'wrong' | 'wait' | 'unreachable' | null>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setPending(true);
    setProblem(null);
    const found = await signIn(typedValues(event));
    if (found === null) return window.location.assign(pageAfter(window.location.search));
    setPending(false);
    setProblem(found);
  };
  return (
    <AuthCard title={t('title')} text={t('text')}>
      <form method="post" onSubmit={submit}>
        <Stack gap="sm">
          <ErrorAlert text={problem && t(problem)} />
          <TextInput name="email" type="email" label={t('email')} autoComplete="username" required />
          <PasswordField label={t('password')} required />
          <TextInput
            name="code"
            label={t('code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            description={t('codeText')}
            required
          />
          <SubmitButton loading={isPending}>{t('submit')}</SubmitButton>
        </Stack>
      </form>
    </AuthCard>
  );
}

/** The page of the console that led here, else its first one. */
function pageAfter(search: string): string {
  const next = safeNext(new URLSearchParams(search).get('next'), HOME);
  return next.startsWith(`${HOME}/`) ? next : HOME;
}

async function signIn(typed: Record<string, string>): Promise<'wrong' | 'wait' | 'unreachable' | null> {
  try {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(typed) };
    const { ok, status } = await fetch('/operator/api/sign-in', init);
    if (ok) return null;
    return status === 429 ? 'wait' : status < 500 ? 'wrong' : 'unreachable';
  } catch {
    return 'unreachable';
  }
}
