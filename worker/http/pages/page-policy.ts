/** The additions of a page's headers to those in `web/public/_headers`. */
export type PagePolicy = {
  /** Origins that we may embed in a frame, with access to the camera. */
  frameOrigins: readonly string[];
  /** Origins that the page's scripts may call, beside its own and the card processor's. */
  connectOrigins: readonly string[];
  /** Origins whose scripts the page may load, with the frames that those open. */
  scriptOrigins: readonly string[];
  /** Where the session recorder has its scripts, and sends to. */
  recorderOrigins: readonly string[];
  /** Whether scripts may set styles, as that of the chat does. */
  hasInlineStyles: boolean;
  /** Whether the page itself may be framed, by our own pages only. */
  isFramed: boolean;
};

/** Adds what is allowed to a page's headers and changes nothing else. */
export function applyPagePolicy(headers: Headers, policy: PagePolicy): void {
  const given = headers.get("content-security-policy");
  if (given) headers.set("content-security-policy", widenContentSecurityPolicy(given, policy));
  const { frameOrigins, isFramed } = policy;
  const permissions = headers.get("permissions-policy");
  if (permissions && frameOrigins.length > 0) {
    const camera = `camera=(self ${frameOrigins.map((origin) => `"${origin}"`).join(" ")})`;
    headers.set("permissions-policy", permissions.replace(/camera=\([^)]*\)/, camera));
  }
  // Its URL contains a token.
  if (isFramed) headers.set("referrer-policy", "no-referrer");
}

function widenContentSecurityPolicy(
  given: string,
  { frameOrigins, connectOrigins, scriptOrigins, recorderOrigins, hasInlineStyles, isFramed }: PagePolicy,
): string {
  const directives = new Map(
    given
      .split(";")
      .map((part) => part.trim().split(/\s+/))
      .filter(([name]) => name)
      .map(([name = "", ...sources]) => [name, sources]),
  );
  const allow = (directive: string, origins: readonly string[]) => {
    if (origins.length === 0) return;
    const known = directives.get(directive) ?? ["'self'"];
    directives.set(directive, [...new Set([...known, ...origins])]);
  };
  allow("frame-src", [...frameOrigins, ...scriptOrigins]);
  allow("script-src", [...scriptOrigins, ...recorderOrigins]);
  allow("connect-src", [...connectOrigins, ...recorderOrigins]);
  // Beside a hash, browsers would ignore it.
  if (hasInlineStyles) directives.set("style-src", withoutHashes(directives.get("style-src")));
  allow("style-src", hasInlineStyles ? ["'unsafe-inline'"] : []);
  if (isFramed) directives.set("frame-ancestors", ["'self'"]);
  return [...directives].map(([name, sources]) => [name, ...sources].join(" ")).join("; ");
}

function withoutHashes(sources: readonly string[] = ["'self'"]): string[] {
  return sources.filter((source) => !source.startsWith("'sha"));
}
