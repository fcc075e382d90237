import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reduceDocument } from '../../trilho-node/scripts/reduce-document.ts';
import { deriveAsync } from './derive-async.ts';
import { modelsModule, operationsModule, paramsModule } from './python-modules.ts';

/** Writes src/trilho/_generated: of the API's document, and of the synchronous resources. */

const SOURCES = join(import.meta.dirname, '../src/trilho');
const GENERATED = join(SOURCES, '_generated');
const DOCUMENT = join(import.meta.dirname, '../../../public/openapi.json');

const { document, operations } = reduceDocument(JSON.parse(readFileSync(DOCUMENT, 'utf8')));
const shapes = document.components.schemas;
rmSync(GENERATED, { recursive: true, force: true });
mkdirSync(GENERATED);
for (const [name, text] of Object.entries({
  __init__: '',
  models: modelsModule(shapes, operations),
  params: paramsModule(shapes, operations),
  operations: operationsModule(operations),
  async_resources: deriveAsync(readFileSync(join(SOURCES, '_resources.py'), 'utf8')),
})) {
  writeFileSync(join(GENERATED, `${name}.py`), text);
}
