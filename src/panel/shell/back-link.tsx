import { IconChevronLeft } from '@tabler/icons-react';
import { Icon } from './icon.tsx';
import { TextLink } from './links.tsx';

/** Leads from a page to the one above it. */
export const BackLink = ({ href, label }: { href: string; label: string }) => (
  <TextLink
    href={href}
    label={
      <>
        <Icon of={IconChevronLeft} size={12} /> {label}
      </>
    }
  />
);
