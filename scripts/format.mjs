import { spawnSync } from 'node:child_process';
import { NODE, prepare, ROOT } from './prepare.mjs';

/**
 * `npm run format`: formats, sorts imports and applies the linter's safe fixes, in the whole
 * checkout or in the given paths.
 */
await prepare({ panel: false });
const paths = process.argv.slice(2);
const args = ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', ...(paths.length > 0 ? paths : ['.'])];
process.exit(spawnSync(NODE, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1);
