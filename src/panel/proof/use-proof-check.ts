import { useCallback, useEffect, useRef, useState } from 'react';
import { type ProofResult, verifyProof } from '#domain/ledger/verify-proof.ts';
import { observedFetch } from '#panel/connection/observed-fetch.ts';
import { goToSignIn } from '#panel/shell/sign-in-address.ts';

export type CheckedProof = ProofResult & { publicKey: string | null };

/**
 * `unread`: the file could not be read. `cannot`: the browser has no WebCrypto, or no Ed25519 in
 * it.
 */
type CheckState = null | 'running' | 'unread' | 'cannot' | CheckedProof;

/** Fetches the file of a proof and checks it in this browser, whenever `check` is called. */
export function useProofCheck(address: string) {
  const [state, setState] = useState<CheckState>(null);
  const running = useRef<AbortController | null>(null);
  // A member who leaves the page does not wait for the file.
  useEffect(() => () => running.current?.abort(), []);

  const check = useCallback(async () => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState('running');
    const next = await checkFile(address, controller.signal);
    if (!controller.signal.aborted) setState(next);
  }, [address]);

  return { state, check };
}

async function checkFile(address: string, signal: AbortSignal): Promise<CheckState> {
  let file: { publicKey?: unknown } | null;
  try {
    const response = await observedFetch(address, { signal });
    if (response.status === 401) goToSignIn();
    if (!response.ok) return 'unread';
    file = await response.json();
  } catch {
    return 'unread';
  }
  try {
    const publicKey = typeof file?.publicKey === 'string' ? file.publicKey : null;
    return { ...(await verifyProof(file)), publicKey };
  } catch {
    return 'cannot';
  }
}
