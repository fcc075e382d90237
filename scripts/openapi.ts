import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { restDocument } from '../src/server/rest/openapi/document.ts';

/**
 * `npm run openapi`: writes the document that the service serves at /api/openapi.json into
 * public/openapi.json, which is committed.
 */
const file = join(import.meta.dirname, '../public/openapi.json');
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(restDocument(), null, 2)}\n`);
console.log('public/openapi.json is written.');
