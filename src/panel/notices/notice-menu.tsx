import { Box, Menu, Text, VisuallyHidden } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { useLocale, useTranslations } from 'next-intl';
import type { NoticesOutput } from '#contract/notices/notices.ts';
import { storedLanguage } from '#domain/values/language.ts';
import { api } from '#panel/api.tsx';
import { Link } from '#panel/link.tsx';
import { Icon } from '#panel/shell/icon.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { type MenuPlace, OpenedMenu } from '#panel/shell/opened-menu.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { When } from '#panel/shell/when.tsx';
import classes from './notices.module.css';

/** The newest notices, each leading to what it is about. */
export function NoticeMenu(place: MenuPlace) {
  const t = useTranslations('panel.notices');
  const language = storedLanguage(useLocale()) ?? 'pt-BR';
  const { data, error } = api.notices.list.useQuery({ language });
  const utils = api.useUtils();
  const onSuccess = () => Promise.all([utils.session.me.invalidate(), utils.notices.list.invalidate()]);
  const read = api.notices.read.useMutation({ onSuccess });
  const readAll = api.notices.readAll.useMutation({ onSuccess });
  const notices = data?.notices ?? [];
  return (
    <OpenedMenu width={360} {...place}>
      <Menu.Label>{t('title')}</Menu.Label>
      {!data && <Menu.Label>{error ? t('failed') : t('loading')}</Menu.Label>}
      {data && notices.length === 0 && <Menu.Label>{t('empty')}</Menu.Label>}
      {data && notices.some((notice) => !notice.read) && (
        <Menu.Item
          closeMenuOnClick={false}
          disabled={readAll.isPending}
          leftSection={<Icon of={IconChecks} size={16} />}
          onClick={() => readAll.mutate({ until: data.as_of })}
        >
          {t('readAll')}
        </Menu.Item>
      )}
      <Box mah="min(60dvh, 480px)" style={{ overflowY: 'auto' }}>
        {notices.map((notice) => (
          <NoticeItem key={notice.id} notice={notice} onRead={() => notice.read || read.mutate({ id: notice.id })} />
        ))}
      </Box>
    </OpenedMenu>
  );
}

type Notice = NoticesOutput['notices'][number];

/** A notice; no link where the member's role may not open its page. */
function NoticeItem({ notice, onRead }: { notice: Notice; onRead: () => void }) {
  const t = useTranslations('panel.notices');
  const { href, sees } = usePanel();
  const shared = {
    onClick: onRead,
    leftSection: <span className={classes.dot} data-read={notice.read} />,
    children: (
      <>
        <Text fz="sm" fw={notice.read ? 400 : 600} style={{ overflowWrap: 'anywhere' }}>
          {!notice.read && <VisuallyHidden>{t('unread')} </VisuallyHidden>}
          {notice.text}
        </Text>
        {notice.about !== null && (
          <Muted fz="xs" style={{ overflowWrap: 'anywhere' }}>
            {notice.about}
          </Muted>
        )}
        <Muted fz="xs">
          <When at={notice.created_at} />
        </Muted>
      </>
    ),
  };
  if (!sees(notice.page)) return <Menu.Item {...shared} />;
  return <Menu.Item component={Link} href={href(notice.page)} {...shared} />;
}
