import { Drawer } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { NavigationLinks } from './navigation-links.tsx';

/** The phone's way to every page. */
export function MenuDrawer(props: { opened: boolean; onClose: () => void; mode: 'live' | 'test' }) {
  const { opened, onClose, mode } = props;
  const t = useTranslations('panel.shell');
  return (
    <Drawer opened={opened} onClose={onClose} position="bottom" size="80%" title={t('more')}>
      <NavigationLinks mode={mode} />
    </Drawer>
  );
}
