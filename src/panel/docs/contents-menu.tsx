'use client';

import { useEffect, useRef, useState } from 'react';
import classes from './docs-page.module.css';

export type ContentsPart = { title: string; entries: { id: string; title: string }[] };

type Props = { title: string; parts: ContentsPart[] };

/** The contents beside the page on a wide screen, with the section that is being read marked. */
export function ContentsAside({ title, parts }: Props) {
  const current = useCurrentSection(parts);
  return (
    <nav className={classes.aside} aria-label={title}>
      <ContentsList parts={parts} current={current} />
    </nav>
  );
}

/**
 * The contents behind a button on a phone. It works without JavaScript; with it, it closes by
 * itself.
 */
export function ContentsMenu({ title, parts }: Props) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (menu.current) menu.current.open = false;
  };
  return (
    <details
      ref={menu}
      className={classes.menu}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        close();
        menu.current?.querySelector('summary')?.focus();
      }}
      onBlur={(event) => event.relatedTarget && !event.currentTarget.contains(event.relatedTarget) && close()}
    >
      <summary className={classes.menuButton}>{title}</summary>
      <nav className={classes.menuPanel} aria-label={title}>
        <ContentsList parts={parts} onChoose={close} />
      </nav>
    </details>
  );
}

type ListProps = Pick<Props, 'parts'> & { current?: string | null; onChoose?: () => void };

function ContentsList({ parts, current, onChoose }: ListProps) {
  return parts.map(({ title, entries }) => (
    <div key={title} className={classes.contentsPart}>
      <p className={classes.contentsTitle}>{title}</p>
      <ul className={`plain-list ${classes.contentsList}`}>
        {entries.map(({ id, title: entry }) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={current === id ? 'location' : undefined} onClick={onChoose}>
              {entry}
            </a>
          </li>
        ))}
      </ul>
    </div>
  ));
}

/** A section counts as being read only in the upper part of the window. */
const READING_ZONE = '-64px 0px -70% 0px';

function useCurrentSection(parts: ContentsPart[]): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  useEffect(() => {
    const ids = parts.flatMap(({ entries }) => entries.map(({ id }) => id));
    const inZone = new Set<string>();
    const observer = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes)
          isIntersecting ? inZone.add(target.id) : inZone.delete(target.id);
        const first = ids.find((id) => inZone.has(id));
        if (first !== undefined) setCurrent(first);
      },
      { rootMargin: READING_ZONE },
    );
    for (const id of ids) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [parts]);
  return current;
}
