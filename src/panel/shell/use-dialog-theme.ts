import { useTranslations } from 'next-intl';
import { useMemo } from 'react';

/**
 * A theme that names the button which closes a dialog or a notice: the library gives it no name.
 */
export function useDialogTheme() {
  const t = useTranslations('panel.shell');
  return useMemo(() => {
    const defaultProps = { closeButtonProps: { 'aria-label': t('close') } };
    return { components: { Modal: { defaultProps }, Drawer: { defaultProps }, Notification: { defaultProps } } };
  }, [t]);
}
