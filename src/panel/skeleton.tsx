import type { CSSProperties } from 'react';
import classes from './skeleton.module.css';

/** A grey shape where something of that size is about to be. */
export function Skeleton(props: { width?: CSSProperties['width']; height?: number; className?: string | undefined }) {
  const { width, height, className } = props;
  return <span className={`${classes.skeleton} ${className ?? ''}`} style={{ width, height }} aria-hidden="true" />;
}
