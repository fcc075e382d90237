import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bar, barChart } from './bar-chart.ts';
import { describeRun } from './describe-run.ts';

/** The report of a part of the bench: for people, for programs, and as a picture. */
export type Report = {
  /** The name of its file in docs/bench. */
  name: string;
  title: string;
  /** The tables, ratios first, and what they mean. */
  text: string;
  bars: readonly Bar[];
  wanted?: number;
  /** The machine's load before it was measured. */
  loadBefore: number;
};

const FOLDER = 'docs/bench';

/** Prints a report, and writes it and its picture to docs/bench, with commit and machine. */
export function publish(report: Report): void {
  console.log(`\n${report.text}`);
  const folder = join(import.meta.dirname, '..', FOLDER);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${report.name}.svg`), barChart(report.title, report.bars, report.wanted));
  writeFileSync(join(folder, `${report.name}.md`), asMarkdown(report, describeRun([FOLDER])));
  console.log(`\nWritten: ${FOLDER}/${report.name}.md`);
}

/** The report as a document. */
export const asMarkdown = ({ name, title, text, loadBefore }: Report, run: string): string => `# ${title}

\`npm run bench -- ${name}\` at ${run}; load before: ${loadBefore.toFixed(2)}.

![${title}](${name}.svg)

\`\`\`
${text}
\`\`\`
`;
