import { useTranslations } from 'next-intl';
import { useMemo } from 'react';

/** Names the button that closes a dialog, or a notice: the library names none. */
export function useDialogTheme() {
  const t = useTranslations('panel.shell');
  return useMemo(() => {
    const defaultProps = { closeButtonProps: { 'aria-label': t('close') } };
    return { components: { Modal: { defaultProps }, Drawer: { defaultProps }, Notification: { defaultProps } } };
  }, [t]);
}
