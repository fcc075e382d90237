/** A bar: its length is `value`, and `text` is written beside it. */
export type Bar = { label: string; value: number; text: string };

const WIDTH = 760;
const LABEL_WIDTH = 250;
const TEXT_WIDTH = 120;
const ROW_HEIGHT = 26;
const BAR_HEIGHT = 14;
const TITLE_HEIGHT = 34;

/**
 * Draws bars below each other, as an SVG that fits a light and a dark document. `wanted`: a line at
 * the value to be reached.
 */
export function barChart(title: string, bars: readonly Bar[], wanted?: number): string {
  const top = Math.max(wanted ?? 0, ...bars.map(({ value }) => value)) || 1;
  const room = WIDTH - LABEL_WIDTH - TEXT_WIDTH;
  const lengthOf = (value: number) => Math.max(0, (value / top) * room);
  const height = TITLE_HEIGHT + bars.length * ROW_HEIGHT + 8;
  const rows = bars.map(({ label, value, text }, index) => {
    const y = TITLE_HEIGHT + index * ROW_HEIGHT;
    const middle = y + ROW_HEIGHT / 2 + 4;
    return [
      `<text x="${LABEL_WIDTH - 10}" y="${middle}" text-anchor="end">${escapeText(label)}</text>`,
      `<rect x="${LABEL_WIDTH}" y="${y + (ROW_HEIGHT - BAR_HEIGHT) / 2}" width="${lengthOf(value).toFixed(1)}" height="${BAR_HEIGHT}" rx="2" fill="#3f57dc"/>`,
      `<text x="${(LABEL_WIDTH + lengthOf(value) + 8).toFixed(1)}" y="${middle}">${escapeText(text)}</text>`,
    ].join('');
  });
  const x = wanted === undefined ? null : (LABEL_WIDTH + lengthOf(wanted)).toFixed(1);
  const line =
    x === null
      ? ''
      : `<line x1="${x}" x2="${x}" y1="${TITLE_HEIGHT - 4}" y2="${height - 4}" stroke="#b45309" stroke-width="1.5" stroke-dasharray="4 3"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" role="img" aria-label="${escapeText(title)}">
<style>text{font:13px system-ui,sans-serif;fill:#374151}@media(prefers-color-scheme:dark){text{fill:#d1d5db}}</style>
<text x="0" y="20" style="font-weight:600">${escapeText(title)}</text>
${rows.join('\n')}
${line}
</svg>
`;
}

const escapeText = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
