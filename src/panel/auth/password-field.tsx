import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslations } from 'next-intl';

/**
 * A password, with a button that shows it, by the keyboard too; the library names that button in
 * English.
 */
export function PasswordField(props: PasswordInputProps) {
  const t = useTranslations('auth.passwordField');
  return (
    <PasswordInput
      name="password"
      autoComplete="current-password"
      {...props}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': t('show') }}
    />
  );
}

/** A field for a password that is chosen now. */
export const NewPasswordField = (props: PasswordInputProps) => (
  <PasswordField autoComplete="new-password" required {...props} />
);
