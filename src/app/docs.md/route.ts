import { wholeText } from '#panel/docs/markdown/llms-text.ts';
import { markdownAnswer } from '#panel/docs/markdown/markdown-answer.ts';

export const GET = (request: Request) => markdownAnswer(request, 'text/markdown', wholeText);
