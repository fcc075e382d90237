import { useRef, useState } from 'react';
import type { UploadError } from '#contract/kyc/kyc.ts';
import { DOCUMENT_BYTES_MAX, type KycDocumentKind } from '#domain/kyc/kyc.ts';
import { api } from '#panel/api.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';

/** A file on its way, or one that was rejected. */
export type Upload = {
  id: number;
  kind: KycDocumentKind;
  name: string;
  /** From 0 to 1. */
  progress: number;
  /** Why it was not taken. */
  issue: string | null;
};

export type Uploads = {
  all: readonly Upload[];
  add(kind: KycDocumentKind, files: readonly File[]): void;
  dismiss(id: number): void;
  /** What arrived last, for who listens. */
  arrived: string | null;
};

/** Files on their way, one after the other: a slow line carries one whole file at a time. */
export function useUploads(): Uploads {
  const { mode } = usePanel();
  const utils = api.useUtils();
  const [all, setAll] = useState<readonly Upload[]>([]);
  const [arrived, setArrived] = useState<string | null>(null);
  const nextId = useRef(0);
  const queue = useRef<Promise<void>>(Promise.resolve());

  const change = (id: number, changes: Partial<Upload>) =>
    setAll((before) => before.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)));
  const dismiss = (id: number) => setAll((before) => before.filter((upload) => upload.id !== id));

  const send = async (id: number, kind: KycDocumentKind, file: File) => {
    const issue = await uploadDocument({ mode, kind }, file, (progress) => change(id, { progress }));
    if (issue !== null) return change(id, { issue });
    await utils.kyc.get.invalidate();
    dismiss(id);
    setArrived(file.name);
  };

  return {
    all,
    arrived,
    dismiss,
    add(kind, files) {
      for (const file of files) {
        const id = nextId.current++;
        const issue = file.size > DOCUMENT_BYTES_MAX ? 'too_large' : null;
        setAll((before) => [...before, { id, kind, name: file.name, progress: 0, issue }]);
        if (issue === null) queue.current = queue.current.then(() => send(id, kind, file));
      }
    },
  };
}

/** Longer than a phone takes for the largest file at the edge of reception. */
const TIMEOUT_MS = 5 * 60_000;

/**
 * Sends a document; `onProgress` gets the sent part, from 0 to 1. Returns the document's issue,
 * null when it was accepted. An XMLHttpRequest, because fetch does not report an upload's progress.
 */
function uploadDocument(
  to: { mode: 'live' | 'test'; kind: KycDocumentKind },
  file: File,
  onProgress: (share: number) => void,
): Promise<string | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const query = new URLSearchParams({ kind: to.kind, name: file.name });
    request.open('POST', `/upload/${to.mode}/kyc?${query}`);
    request.timeout = TIMEOUT_MS;
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const { error } = (request.response ?? {}) as Partial<UploadError>;
      resolve(request.status === 201 ? null : (error ?? 'other'));
    };
    request.onerror = () => resolve('network');
    request.ontimeout = () => resolve('network');
    request.send(file);
  });
}
