import type { BrowserAnswer, PanelBrowser } from '../../src/testing/panel-browser.ts';
import { openBrowser } from '../../src/testing/panel-browser.ts';
import type { TestService } from '../../src/testing/test-service.ts';

/**
 * The service trusts the address that its proxy reports, and the suite acts as that proxy: every
 * visitor has an address of their own.
 */
export const PROXY_VARIABLES = { TRUSTED_PROXIES: '127.0.0.1' };

export type Visitor = {
  browser: PanelBrowser;
  /** A request of one of our pages from this visitor's address. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<BrowserAnswer>;
  signIn(email: string, password: string): Promise<BrowserAnswer>;
  isSignedIn(): Promise<boolean>;
};

let visitors = 0;

/** Returns a browser and an address that the service has not seen before. */
export function newVisitor(service: TestService): Visitor {
  const number = ++visitors;
  const address = `198.18.${(number >> 8) & 255}.${number & 255}`;
  const browser = openBrowser(service);
  const post: Visitor['post'] = (path, body, headers = {}) =>
    browser.post(path, body, { 'x-forwarded-for': address, ...headers });
  return {
    browser,
    post,
    signIn: (email, password) => post('/api/auth/sign-in/email', { email, password }),
    isSignedIn: async () =>
      (await browser.get('/api/trpc/test/session.me', { 'x-forwarded-for': address })).status === 200,
  };
}
