import type { AttackResult } from './subject.ts';

/** How many requests of an attack that got through are shown; they usually have one cause. */
const BROKEN_SHOWN_MAX = 10;

/** Returns a table with a line for each attack, then the requests that got through. */
export function reportTable(results: readonly AttackResult[]): string {
  const width = Math.max(...results.map(({ subject, attack }) => subject.length + attack.length + 2));
  const lines = results.map(({ subject, attack, tried, broken }) => {
    const name = `${subject}: ${attack}`.padEnd(width);
    const held = tried - Math.min(tried, broken.length);
    return `${name}  ${String(tried).padStart(6)} tried  ${String(held).padStart(6)} held  ${broken.length > 0 ? `${broken.length} BROKEN` : ''}`.trimEnd();
  });
  const tried = results.reduce((sum, result) => sum + result.tried, 0);
  const broken = results.reduce((sum, result) => sum + result.broken.length, 0);
  return [...lines, '', ...results.flatMap(describeBroken), `${tried} tried, ${broken} broken`].join('\n');
}

/** The requests that got through one attack. */
export function describeBroken({ subject, attack, broken }: AttackResult): string[] {
  const more = broken.length - BROKEN_SHOWN_MAX;
  return [
    ...broken.slice(0, BROKEN_SHOWN_MAX).map((what) => `BROKEN ${subject}: ${attack}\n       ${what}`),
    ...(more > 0 ? [`       and ${more} more`] : []),
  ];
}
