import { type ReactElement, type ReactNode, type RefObject, Suspense, useRef, useState } from 'react';
import type { MenuPlace } from './opened-menu.tsx';

type ButtonProps = {
  ref: RefObject<HTMLButtonElement | null>;
  'aria-haspopup': 'menu';
  'aria-expanded': false;
  onClick: () => void;
};

/**
 * A button whose menu is loaded, with what it floats on, when it is first pressed. `menu` returns a
 * part that is loaded later and that draws an `OpenedMenu`.
 */
export function LazyMenu(props: {
  button: (props: ButtonProps) => ReactElement;
  menu: (place: MenuPlace) => ReactNode;
}) {
  const [isWanted, setWanted] = useState(false);
  const openAt = useRef<HTMLButtonElement>(null);
  const onClick = () => setWanted(true);
  const target = props.button({ ref: openAt, 'aria-haspopup': 'menu', 'aria-expanded': false, onClick });
  return isWanted ? <Suspense fallback={target}>{props.menu({ target, openAt })}</Suspense> : target;
}
