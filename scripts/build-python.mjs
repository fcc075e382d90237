import { relative } from 'node:path';
import { prepare, ROOT } from './prepare.mjs';
import { buildWheel, preparePython } from './python-library.mjs';

/** `npm run build:python`: makes the wheel of packages/trilho-python, and prints its path. */
await prepare({ panel: false });
console.log(relative(ROOT, await buildWheel(await preparePython(console.log))));
