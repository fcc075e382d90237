/** Rails that meet, seen from above: a T. */
const MARK_PATH = 'M6 8.5h20M6 14.5h2.5a4.5 4.5 0 0 1 4.5 4.5v7M26 14.5h-2.5a4.5 4.5 0 0 0-4.5 4.5v7';

/** The mark, as a tile; the name stands beside it. */
export const Mark = ({ size = 26 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="8" fill="var(--accent)" />
    <path d={MARK_PATH} fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" strokeLinejoin="round" />
  </svg>
);
