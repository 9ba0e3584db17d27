/** What a page's headers allow beyond what stands in `web/public/_headers`. */
export type Allowance = {
  /** Origins whose pages may stand in a frame of ours, and may there use the camera. */
  frames: readonly string[];
  /** Whether the page itself may stand in a frame, of our own pages only. */
  framed: boolean;
};

/** Adds the allowance to a page's headers and changes nothing else in them. */
export function allow(headers: Headers, { frames, framed }: Allowance): void {
  const policy = headers.get("content-security-policy");
  if (policy) headers.set("content-security-policy", widen(policy, { frames, framed }));
  const permissions = headers.get("permissions-policy");
  if (permissions && frames.length > 0) {
    const camera = `camera=(self ${frames.map((origin) => `"${origin}"`).join(" ")})`;
    headers.set("permissions-policy", permissions.replace(/camera=\([^)]*\)/, camera));
  }
  // Its address holds a token.
  if (framed) headers.set("referrer-policy", "no-referrer");
}

function widen(policy: string, { frames, framed }: Allowance): string {
  const directives = new Map(
    policy
      .split(";")
      .map((part) => part.trim().split(/\s+/))
      .filter(([name]) => name)
      .map(([name = "", ...sources]) => [name, sources]),
  );
  const known = directives.get("frame-src") ?? ["'self'"];
  directives.set("frame-src", [...new Set([...known, ...frames])]);
  if (framed) directives.set("frame-ancestors", ["'self'"]);
  return [...directives].map(([name, sources]) => [name, ...sources].join(" ")).join("; ");
}
