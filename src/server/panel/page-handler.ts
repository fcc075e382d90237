import type { IncomingMessage, ServerResponse } from 'node:http';
import { BUILD_HEADER } from '#contract/build-header.ts';
import { pageOf } from '#contract/members/page-needs.ts';
import { type PagePrefetch, pagePrefetch } from '#contract/page-prefetch.ts';
import type { AuthHandler } from '../auth/auth-handler.ts';
import { isUnder } from '../http/is-under.ts';
import type { Pages } from '../next/pages.ts';
import type { OperatorHandler } from '../operator/operator-handler.ts';
import { OPERATOR_PREFIX } from '../operator/operator-prefix.ts';
import type { TrpcHandler } from './trpc-handler.ts';

/** The panel's pages by their first segment: the mode. */
const PANEL_PAGE = /^\/(live|test)(\/|$)/;
/** A payer's page: its address is enough to see it. */
const PAYMENT_PAGE = /^\/pay\//;
/** Where a member signs in, and an operator. */
const SIGN_IN = '/entrar';
const OPERATOR_SIGN_IN = `${OPERATOR_PREFIX}/entrar`;
/** Where no page is, whatever the mode. */
const NOT_FOUND = 'nao-existe';
/** What a page without a member may read while it is rendered. */
const NOTHING: PagePrefetch['read'] = async () => ({ errorCode: null });
/** The address of a sign-in that leads to the requested page. */
const leadingBack = (signIn: string, { url }: IncomingMessage) => `${signIn}?next=${encodeURIComponent(url ?? '/')}`;
/** Where a member begins. */
const homeOf = (mode: 'live' | 'test') => `/${mode}/inicio`;

export type PageHandler = {
  /** Of the pages. */
  buildId: string;
  show(req: IncomingMessage, res: ServerResponse, path: string): Promise<void>;
};

/**
 * Serves the pages: a visitor without a session is redirected to the sign-in. A page is rendered
 * with its first data, which it reads through the procedures: they check the session themselves.
 * Passes the member's language to the pages.
 */
export function createPageHandler(
  pages: Pages,
  handlers: { auth: AuthHandler; panel: TrpcHandler; operator: OperatorHandler },
  options: {
    /** For the sign-up page: whether a demonstration's mail goes into a folder. */
    mail: 'folder' | 'smtp';
    demo: boolean;
    /** Of the service: scheme, host and port. */
    origin: string;
  },
): PageHandler {
  return {
    buildId: pages.buildId,
    async show(req, res, path) {
      // Set by the service, never by the client.
      delete req.headers['x-trilho-language'];
      req.headers['x-trilho-mail'] = options.mail;
      req.headers[BUILD_HEADER] = pages.buildId;
      if (path === '/' || PANEL_PAGE.test(path)) {
        const member = await handlers.auth.memberOf(req);
        res.setHeader('cache-control', 'no-store');
        if (!member) return redirect(res, path === '/' ? SIGN_IN : leadingBack(SIGN_IN, req));
        const renewed = handlers.auth.renewedSession(req);
        if (renewed) res.appendHeader('set-cookie', renewed);
        if (member.language) req.headers['x-trilho-language'] = member.language;
        if (path === '/') {
          // Before the verification there is nothing to do with real money. A demonstration has
          // none at all: it begins in test mode, where its printed key works.
          const isVerified = async () =>
            (await handlers.panel.visitorOf(req, 'live')).principal?.kycStatus === 'approved';
          return redirect(res, homeOf(!options.demo && (await isVerified()) ? 'live' : 'test'));
        }
        const page = pageOf(path.slice('/live'.length));
        const mode = path.startsWith('/live') ? 'live' : 'test';
        // Answered as an address that does not exist.
        if (page && !handlers.panel.hasPage(member, page)) req.url = `/${mode}/${NOT_FOUND}`;
        if (path === '/live' || path === '/test') return redirect(res, homeOf(mode));
        return showWith(req, res, () => handlers.panel.prefetchOf(req, mode, member));
      }
      if (isUnder(path, OPERATOR_PREFIX)) {
        res.setHeader('cache-control', 'no-store');
        const isSignIn = path === OPERATOR_SIGN_IN;
        if (!isSignIn && !(await handlers.operator.operatorOf(req)))
          return redirect(res, path === OPERATOR_PREFIX ? OPERATOR_SIGN_IN : leadingBack(OPERATOR_SIGN_IN, req));
        return showWith(req, res, async () => NOTHING);
      }
      if (PAYMENT_PAGE.test(path)) return showWith(req, res, async () => handlers.panel.publicPrefetchOf(req));
      return showWith(req, res, async () => NOTHING);
    },
  };

  /**
   * Shows a page with its first data. A page that moves to another one reads that data by itself:
   * the browser keeps the parts of pages, and must not keep data.
   */
  async function showWith(
    req: IncomingMessage,
    res: ServerResponse,
    reads: () => Promise<PagePrefetch['read']>,
  ): Promise<void> {
    if (req.headers.rsc === '1') return pages.handle(req, res);
    const { searchParams: search } = new URL(req.url ?? '/', options.origin);
    const read = await reads();
    const noteMissing = () => {
      if (!res.headersSent) res.statusCode = 404;
    };
    return pagePrefetch.run({ read, noteMissing, origin: options.origin, search }, () => pages.handle(req, res));
  }
}

function redirect(res: ServerResponse, location: string): void {
  res.statusCode = 302;
  res.setHeader('location', location);
  res.end();
}
