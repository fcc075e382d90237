import { useRef, useState } from 'react';
import type { UploadError } from '#contract/upload-error.ts';
import { FILE_BYTES_MAX } from '#domain/files/file-bytes-max.ts';
import { goToSignIn } from '#panel/shell/sign-in-address.ts';
import { useFileAddress } from '#panel/use-file-address.ts';

/** A file that is being uploaded, or one that was rejected. */
export type Upload = {
  id: number;
  /** What is sent about the file, beside its name. */
  about: Record<string, string>;
  name: string;
  /** From 0 to 1. */
  progress: number;
  /** Why it was rejected; null while it is on its way. */
  issue: string | null;
};

export type Uploads = {
  all: readonly Upload[];
  add(about: Record<string, string>, files: readonly File[]): void;
  dismiss(id: number): void;
  /** The name of the file that arrived last, for screen readers. */
  arrived: string | null;
};

/** The types that a file dialog offers; the server checks what a file really is. */
export const FILES_ACCEPTED = 'application/pdf,image/jpeg,image/png';

/**
 * Uploads files one after the other: a slow line carries one whole file at a time. `to`: what they
 * are for; `onArrived` reads again what the page shows of them.
 */
export function useUploads(to: 'kyc' | 'dispute', onArrived: () => Promise<unknown>): Uploads {
  const fileAddress = useFileAddress();
  const [all, setAll] = useState<readonly Upload[]>([]);
  const [arrived, setArrived] = useState<string | null>(null);
  const nextId = useRef(0);
  const queue = useRef<Promise<void>>(Promise.resolve());

  const change = (id: number, changes: Partial<Upload>) =>
    setAll((before) => before.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)));
  const dismiss = (id: number) => setAll((before) => before.filter((upload) => upload.id !== id));

  const send = async (id: number, about: Record<string, string>, file: File) => {
    const address = fileAddress('upload', to, { ...about, name: file.name });
    const issue = await uploadFile(address, file, (progress) => change(id, { progress }));
    if (issue !== null) return change(id, { issue });
    await onArrived();
    dismiss(id);
    setArrived(file.name);
  };

  return {
    all,
    arrived,
    dismiss,
    add(about, files) {
      for (const file of files) {
        const id = nextId.current++;
        const issue = file.size > FILE_BYTES_MAX ? 'too_large' : null;
        setAll((before) => [...before, { id, about, name: file.name, progress: 0, issue }]);
        if (issue === null) queue.current = queue.current.then(() => send(id, about, file));
      }
    },
  };
}

/** Longer than a phone with poor reception takes for the largest file. */
const TIMEOUT_MS = 5 * 60_000;

/**
 * Sends a file; `onProgress` gets the sent part, from 0 to 1. Returns the file's issue, null when
 * it was accepted. An XMLHttpRequest, because fetch does not report an upload's progress.
 */
function uploadFile(address: string, file: File, onProgress: (share: number) => void): Promise<string | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', address);
    request.timeout = TIMEOUT_MS;
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      if (request.status === 401) goToSignIn();
      const { error } = (request.response ?? {}) as Partial<UploadError>;
      // Another tab has chosen another merchant.
      if (error === 'other_account') window.location.assign('/');
      resolve(request.status === 201 ? null : (error ?? 'other'));
    };
    request.onerror = () => resolve('network');
    request.ontimeout = () => resolve('network');
    request.send(file);
  });
}
