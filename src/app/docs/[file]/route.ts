import { sectionText } from '#panel/docs/markdown/llms-text.ts';
import { markdownAnswer } from '#panel/docs/markdown/markdown-answer.ts';

/** A section of the reference by itself: /docs/createPixCharge.md. */
export async function GET(request: Request, { params }: { params: Promise<{ file: string }> }) {
  const { file } = await params;
  const [, id] = /^(\w+)\.md$/.exec(file) ?? [];
  return markdownAnswer(request, 'text/markdown', (t, base) => (id === undefined ? null : sectionText(t, base, id)));
}
