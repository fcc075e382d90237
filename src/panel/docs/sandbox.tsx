import { useTranslations } from 'next-intl';
import { CodeBlock } from './code-block.tsx';
import { DEVELOPER_COMMANDS, SANDBOX_COMMANDS } from './sandbox-commands.ts';
import { Prose } from './section.tsx';
import { magicValuesTable, switchesTable } from './tables/sandbox-tables.ts';

/** What a request chooses in the sandbox by its own values. */
export const MagicValues = () => <Prose id="sandbox" table={magicValuesTable(useTranslations())} />;

/** How events come to a developer's machine, and how time passes there. */
export const Developing = () => <Prose id="developing" side={<CodeBlock title="trilho" code={DEVELOPER_COMMANDS} />} />;

/** The switches that an operator sets for the whole sandbox. */
export const Switches = () => (
  <Prose
    id="switches"
    side={<CodeBlock title="trilho" code={SANDBOX_COMMANDS} />}
    table={switchesTable(useTranslations())}
  />
);
