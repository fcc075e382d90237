import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Fonts and pictures are compressed by their own formats. */
const WORTH_COMPRESSING = /\.(css|js|json|map|svg|txt)$/;

/**
 * Writes each text file of the folder again as `.br` and `.gz`, as small as possible: once in a
 * build, for everybody who opens a page.
 */
export async function compressFiles(folder) {
  const names = (await readdir(folder, { recursive: true })).filter((name) => WORTH_COMPRESSING.test(name));
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const content = await readFile(path);
      const brotli = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
      await Promise.all([
        promisify(brotliCompress)(content, brotli).then((small) => writeFile(`${path}.br`, small)),
        promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }).then((small) =>
          writeFile(`${path}.gz`, small),
        ),
      ]);
    }),
  );
}
