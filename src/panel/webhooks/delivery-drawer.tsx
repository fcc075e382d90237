import { Drawer } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { DeliveryAttempts } from './delivery-attempts.tsx';

/** One delivery beside the log; its address is the log's with the delivery in it. */
export function DeliveryDrawer({ deliveryId, onClose }: { deliveryId: string | null; onClose: () => void }) {
  const t = useTranslations('panel.webhooks');
  return (
    <Drawer opened={deliveryId !== null} onClose={onClose} position="right" size="lg" title={t('delivery.title')}>
      {deliveryId && <DeliveryAttempts deliveryId={deliveryId} />}
    </Drawer>
  );
}
