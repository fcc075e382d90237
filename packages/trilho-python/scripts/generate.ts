import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reduceDocument } from '../../trilho-node/scripts/reduce-document.ts';
import { deriveAsync } from './derive-async.ts';
import { modelsModule, operationsModule, paramsModule } from './python-modules.ts';

/** Writes src/trilho/_generated: from the API's document, and from the synchronous resources. */

const SOURCES = join(import.meta.dirname, '../src/trilho');
const RESOURCES = join(SOURCES, '_resources');
const GENERATED = join(SOURCES, '_generated');
const DOCUMENT = join(import.meta.dirname, '../../../public/openapi.json');

const { document, operations } = reduceDocument(JSON.parse(readFileSync(DOCUMENT, 'utf8')));
const shapes = document.components.schemas;
rmSync(GENERATED, { recursive: true, force: true });
mkdirSync(join(GENERATED, 'async_resources'), { recursive: true });
for (const [name, text] of Object.entries({
  __init__: '',
  models: modelsModule(shapes, operations),
  params: paramsModule(shapes, operations),
  operations: operationsModule(operations),
})) {
  writeFileSync(join(GENERATED, `${name}.py`), text);
}
for (const name of readdirSync(RESOURCES).filter((file) => file.endsWith('.py'))) {
  writeFileSync(join(GENERATED, 'async_resources', name), deriveAsync(readFileSync(join(RESOURCES, name), 'utf8')));
}
