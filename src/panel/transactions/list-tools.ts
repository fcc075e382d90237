/**
 * The controls above the list, in one part that is loaded later: in three parts, the code that they
 * share would come three times.
 */
export { ExportButton } from '#panel/exports/export-button.tsx';
export { ColumnMenu } from './column-menu.tsx';
export { FilterBar } from './filter-bar.tsx';
