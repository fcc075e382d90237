import type { ReactNode } from 'react';
import { createContext, useContext } from 'react';

/** A QR code that the server drew. */
export type DrawnQr = { text: string; picture: ReactNode };

const DrawnQrContext = createContext<DrawnQr | null>(null);

export const DrawnQrProvider = DrawnQrContext.Provider;

export const useDrawnQr = (): DrawnQr | null => useContext(DrawnQrContext);
