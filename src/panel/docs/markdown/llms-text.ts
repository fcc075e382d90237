import { reference } from '../reference.ts';
import type { Texts } from '../tables/table.ts';
import { sectionUrl } from './markdown.ts';
import { type MarkdownSection, markdownSections } from './markdown-sections.ts';

/**
 * Returns the index of the reference for language models (llmstxt.org): a title, a summary, what to
 * know before reading, and a link to each section as Markdown. In English, because programs read
 * it.
 */
export function llmsIndex(t: Texts, base: string): string {
  const parts = Map.groupBy(markdownSections(t, base), ({ part }) => part);
  return [
    '# Trilho',
    '> REST API of a payment service in Brazil: PIX charges and withdrawals, crypto deposits and withdrawals, refunds, splits, disputes, a double-entry balance, and signed webhooks.',
    BEFORE_READING.map((text) => `- ${text.replaceAll('{base}', base)}`).join('\n'),
    '## Whole documents',
    [
      `- [The whole reference](${base}/llms-full.txt): everything below in one file`,
      `- [OpenAPI 3.1](${base}/api/openapi.json): every operation with schemas and examples, version ${reference.version}`,
      `- [The reference as a page](${base}/docs): for people, with a form that sends requests`,
    ].join('\n'),
    ...[...parts].flatMap(([part, sections]) => [`## ${part}`, sections.map((one) => linkTo(one, base)).join('\n')]),
  ].join('\n\n');
}

const BEFORE_READING = [
  'Base address: {base}. Every operation exists with and without the prefix /api.',
  'Send the key in the header `x-api-key`. `tr_test_` keys move no real money; `tr_live_` keys do.',
  'Send an `Idempotency-Key` with every POST, and repeat a request whose answer was lost with the same key.',
  'Amounts are reais as JSON numbers with at most two decimals; times are ISO 8601 in UTC.',
  'Compare `code` in errors. Messages are Portuguese and for people.',
];

const linkTo = ({ id, title, summary }: MarkdownSection, base: string): string =>
  `- [${title}](${sectionUrl(base, id)})${summary && `: ${summary}`}`;

/** One section by itself; null for an unknown id. */
export function sectionText(t: Texts, base: string, id: string): string | null {
  const section = markdownSections(t, base).find((one) => one.id === id);
  return section ? `# ${section.title}\n\n${section.text}\n` : null;
}

/** The whole reference in one text. */
export const wholeText = (t: Texts, base: string): string =>
  [`# ${t('docs.title')}`, ...markdownSections(t, base).map(({ title, text }) => `## ${title}\n\n${text}`)].join(
    '\n\n',
  );
