import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';

/** Their names carry a hash of their content: what a browser has of them is never stale. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';
/** A file that is opened by itself, a picture with a script in it for example, may do nothing. */
const POLICY = "default-src 'none'; frame-ancestors 'none'";

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** What the build wrote beside each file (scripts/compress-files.mjs), the smallest first. */
const ENCODINGS = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;

type Form = { encoding: string | null; content: Buffer };
type StaticFile = { contentType: string; forms: Form[] };

/** Answers a request for one of the files; false where there is none under this path. */
export type StaticFiles = (req: IncomingMessage, res: ServerResponse, path: string) => boolean;

/**
 * Reads the built files of a folder, and serves them under `prefix` from memory, in each form that
 * the build made (some megabytes): a page asks for thirty of them at once, and a newer build that
 * replaces the folder takes nothing from the pages of this one. Files are sent whole, without
 * ranges.
 */
export function readStaticFiles(folder: string, prefix: string): StaticFiles {
  const files = new Map<string, StaticFile>();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const known = new Set(names);
  for (const name of names) {
    const contentType = CONTENT_TYPES[extname(name)];
    if (!contentType || !statSync(join(folder, name)).isFile()) continue;
    const compressed = ENCODINGS.filter(({ ending }) => known.has(name + ending));
    files.set(prefix + name.replaceAll('\\', '/'), {
      contentType,
      forms: [
        ...compressed.map(({ name: encoding, ending }) => ({
          encoding,
          content: readFileSync(join(folder, name + ending)),
        })),
        { encoding: null, content: readFileSync(join(folder, name)) },
      ],
    });
  }
  return (req, res, path) => {
    const file = files.get(path);
    if (!file) return false;
    const form = chosenForm(file.forms, req.headers['accept-encoding']);
    res.setHeader('cache-control', CACHE_CONTROL);
    res.setHeader('content-security-policy', POLICY);
    res.setHeader('content-type', file.contentType);
    res.setHeader('content-length', form.content.length);
    if (file.forms.length > 1) res.setHeader('vary', 'Accept-Encoding');
    if (form.encoding) res.setHeader('content-encoding', form.encoding);
    res.end(form.content);
    return true;
  };
}

/**
 * The first form that the client takes (RFC 9110 section 12.5.3); the plain one if it takes none.
 */
function chosenForm(forms: readonly Form[], acceptEncoding: string | string[] | undefined): Form {
  const accepted = new Set(
    String(acceptEncoding ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => part.split(';').map((word) => word.trim()))
      .filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? ''))
      .map(([name]) => name),
  );
  const form = forms.find(({ encoding }) => encoding !== null && accepted.has(encoding)) ?? forms.at(-1);
  if (!form) throw new Error('A file has at least its plain form.');
  return form;
}
