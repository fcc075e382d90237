/** Names under which a machine reaches itself; the URL parser writes IPv6 with its brackets. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export type OriginRules = {
  /**
   * Whether a request with these headers is addressed to this installation and is not from a
   * foreign page.
   */
  isAllowed(headers: { host?: string | undefined; origin?: string | undefined }): boolean;
};

/**
 * Creates the rules for requests to /mcp: a page of another site, or of a name that was pointed at
 * this machine (DNS rebinding), may not send any, whatever key it got hold of. `Host` has to be
 * that of the installation's own address; `Origin`, which browsers send and assistants don't, its
 * origin. Where that address is a loopback name, the other loopback names with the same port are
 * accepted too. Headers of proxies are not read: anybody can send them.
 */
export function createOriginRules(publicUrl: string): OriginRules {
  const own = new URL(publicUrl);
  const names = LOOPBACK.has(own.hostname) ? [...LOOPBACK] : [own.hostname];
  const origins = new Set(names.map((name) => originOf(own, name)));
  return {
    isAllowed: ({ host, origin }) =>
      host !== undefined &&
      origins.has(readOrigin(`${own.protocol}//${host}`, host)) &&
      (origin === undefined || origins.has(readOrigin(origin, origin))),
  };
}

function originOf(own: URL, hostname: string): string {
  const url = new URL(own);
  url.hostname = hostname;
  return url.origin;
}

/** Returns the normalised origin when the text is exactly an origin; empty for any other text. */
function readOrigin(text: string, sent: string): string {
  if (!/^[\x21-\x7e]+$/.test(sent) || !URL.canParse(text)) return '';
  const { origin, href, username, password } = new URL(text);
  return href === `${origin}/` && username === '' && password === '' ? origin : '';
}
