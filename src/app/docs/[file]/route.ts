import { sectionText } from '#panel/docs/markdown/llms-text.ts';
import { markdownAnswer } from '#panel/docs/markdown/markdown-answer.ts';

/**
 * One section of the reference as Markdown: /docs/createPixCharge.md. Answers 404 for an unknown
 * one.
 */
export async function GET(request: Request, { params }: { params: Promise<{ file: string }> }) {
  const { file } = await params;
  const [, id] = /^(\w+)\.md$/.exec(file) ?? [];
  return markdownAnswer(request, 'text/markdown', (t, base) => (id === undefined ? null : sectionText(t, base, id)));
}
