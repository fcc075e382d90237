import { piecesOf, type Table } from '../tables/table.ts';

/** A tag of next-intl's texts; its content comes in pieces. */
type Tag = (chunks: string | readonly string[]) => string;

const tag =
  (write: (text: string) => string): Tag =>
  (chunks) =>
    write([chunks].flat().join(''));

const link = (href: string): Tag => tag((text) => `[${text}](${href})`);

/** The address of a section as Markdown. */
export const sectionUrl = (base: string, id: string): string => `${base}/docs/${id}.md`;

/** The tags of the reference's texts (`MARKS` of section.tsx) as Markdown; links are absolute. */
export const markdownMarks = (base: string) =>
  ({
    p: tag((text) => `${text}\n\n`),
    h3: tag((text) => `### ${text}\n\n`),
    ul: tag((items) => `${items}\n`),
    ol: tag((items) => `${items.replaceAll(/^- /gm, '1. ')}\n`),
    li: tag((text) => `- ${text}\n`),
    c: tag((text) => `\`${text}\``),
    b: tag((text) => `**${text}**`),
    open: link(`${base}/api/openapi.json`),
    sandbox: link(sectionUrl(base, 'sandbox')),
    llms: link(`${base}/llms.txt`),
    standard: link('https://www.standardwebhooks.com'),
  }) satisfies Record<string, Tag>;

export function markdownTable({ head, rows }: Table, base: string): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const body = rows.map((cells) => line(cells.map((cell) => cellText(String(cell), base))));
  return [line(head), line(head.map(() => '---')), ...body].join('\n');
}

/** A cell in one line, with `|` escaped because it would end the cell. */
const cellText = (cell: string, base: string): string =>
  cell
    .split('\n')
    .map((line) => pieces(line, base))
    .join('; ')
    .replaceAll('|', '\\|');

const pieces = (line: string, base: string): string =>
  piecesOf(line)
    .map(({ mark, text, href }) => {
      if (mark === 'c') return `\`${text}\``;
      if (mark === 'pt') return `**${text}**`;
      return mark === 'a' ? `[${text}](${sectionUrl(base, href.slice(1))})` : text;
    })
    .join('');

/** A block of code. No text of ours has three backticks. */
export const codeBlock = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;
export const jsonBlock = (value: unknown): string => codeBlock('json', JSON.stringify(value, null, 2));
export const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');
