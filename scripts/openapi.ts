import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { restDocument } from '../src/server/rest/openapi/document.ts';

/**
 * `npm run openapi`: writes public/openapi.json, which is committed. The service serves it at
 * /api/openapi.json.
 */
const file = join(import.meta.dirname, '../public/openapi.json');
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(restDocument(), null, 2)}\n`);
console.log('public/openapi.json is written.');
