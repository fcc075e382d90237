import { useCallback, useEffect, useRef, useState } from 'react';
import { observedFetch } from '#panel/connection/observed-fetch.ts';
import { createEntryCount } from './entry-count.ts';
import { saveFile } from './save-file.ts';

/** `total` is null where the server does not know it in advance. */
export type DownloadProgress = { rows: number; total: number | null };

export type DownloadEnd =
  | { kind: 'saved'; rows: number }
  | { kind: 'cancelled' }
  /** What the server answered in place of a file; null: the connection broke. */
  | { kind: 'failed'; status: number | null };

/**
 * Downloads a file while counting its rows, and saves it on the device. It runs one download at a
 * time.
 */
export function useDownload() {
  const [progress, setProgress] = useState<DownloadProgress | null>(null);
  const running = useRef<AbortController | null>(null);
  const cancel = useCallback(() => running.current?.abort(), []);
  // A member who leaves the page does not wait for the file.
  useEffect(() => cancel, [cancel]);

  const start = useCallback(async (address: string, path: string): Promise<DownloadEnd> => {
    const controller = new AbortController();
    running.current = controller;
    setProgress({ rows: 0, total: null });
    try {
      const response = await observedFetch(address, { signal: controller.signal });
      if (!response.ok || !response.body) return { kind: 'failed', status: response.status };
      const { parts, rows } = await readBody(response, response.body, path, setProgress);
      saveFile(new Blob(parts, { type: response.headers.get('content-type') ?? '' }), nameOf(response) ?? path);
      return { kind: 'saved', rows };
    } catch {
      return controller.signal.aborted ? { kind: 'cancelled' } : { kind: 'failed', status: null };
    } finally {
      running.current = null;
      setProgress(null);
    }
  }, []);

  return { progress, start, cancel };
}

async function readBody(
  response: Response,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  path: string,
  onProgress: (progress: DownloadProgress) => void,
): Promise<{ parts: Uint8Array<ArrayBuffer>[]; rows: number }> {
  const announced = response.headers.get('x-total-rows');
  const total = announced === null ? null : Number(announced);
  const count = createEntryCount(path);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let rows = 0;
  for (const reader = body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return { parts, rows };
    parts.push(value);
    rows = count(value);
    onProgress({ rows, total });
  }
}

/** The name in the server's header, of letters, digits, points and hyphens; null for any other. */
const nameOf = (response: Response): string | null =>
  /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? null;
