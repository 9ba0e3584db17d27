/** What a page's headers allow beyond those in `web/public/_headers`. */
export type FramePolicy = {
  /** Origins that we may embed in a frame, with access to the camera. */
  frameOrigins: readonly string[];
  /** Whether the page itself may be framed, by our own pages only. */
  isFramed: boolean;
};

/** Adds what is allowed to a page's headers and changes nothing else. */
export function applyFramePolicy(headers: Headers, { frameOrigins, isFramed }: FramePolicy): void {
  const policy = headers.get("content-security-policy");
  if (policy)
    headers.set("content-security-policy", widenContentSecurityPolicy(policy, { frameOrigins, isFramed }));
  const permissions = headers.get("permissions-policy");
  if (permissions && frameOrigins.length > 0) {
    const camera = `camera=(self ${frameOrigins.map((origin) => `"${origin}"`).join(" ")})`;
    headers.set("permissions-policy", permissions.replace(/camera=\([^)]*\)/, camera));
  }
  // Its URL contains a token.
  if (isFramed) headers.set("referrer-policy", "no-referrer");
}

function widenContentSecurityPolicy(policy: string, { frameOrigins, isFramed }: FramePolicy): string {
  const directives = new Map(
    policy
      .split(";")
      .map((part) => part.trim().split(/\s+/))
      .filter(([name]) => name)
      .map(([name = "", ...sources]) => [name, sources]),
  );
  const known = directives.get("frame-src") ?? ["'self'"];
  directives.set("frame-src", [...new Set([...known, ...frameOrigins])]);
  if (isFramed) directives.set("frame-ancestors", ["'self'"]);
  return [...directives].map(([name, sources]) => [name, ...sources].join(" ")).join("; ");
}
