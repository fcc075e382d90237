import { Drawer } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { TransactionDetail } from './transaction-detail.tsx';

/** A transaction over the list, on a wide screen. */
export function TransactionDrawer({ id, opened, onClose }: { id: string; opened: boolean; onClose: () => void }) {
  const t = useTranslations('panel.transactions');
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={680}
      title={t('detail.title')}
      closeButtonProps={{ 'aria-label': t('detail.close') }}
      overlayProps={{ backgroundOpacity: 0.25 }}
    >
      <TransactionDetail key={id} id={id} order={3} />
    </Drawer>
  );
}
