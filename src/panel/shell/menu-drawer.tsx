import { Drawer } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { NavigationLinks } from './navigation-links.tsx';
import { useDialog } from './use-dialog.ts';

/** The phone's menu of every page. */
export function MenuDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useTranslations('panel.shell');
  const isTop = useDialog(opened);
  return (
    <Drawer opened={opened} onClose={onClose} position="bottom" size="80%" title={t('more')} closeOnEscape={isTop}>
      <NavigationLinks />
    </Drawer>
  );
}
