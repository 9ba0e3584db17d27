import type { Context } from "hono";
import { DAY_MS } from "../../../db/shapes/units.ts";
import type { AppEnv } from "../app-env.ts";
import { ApiError } from "../errors/api-error.ts";

/** RFC 9116 wants less than a year. */
const LIFETIME_MS = 180 * DAY_MS;

/** `/.well-known/security.txt` (RFC 9116): where to report a security problem. */
export function serveSecurityTxt(c: Context<AppEnv>): Response {
  const { config, now } = c.var.deps;
  if (!config.securityContact) throw new ApiError("not_found");
  const day = Math.floor((now() + LIFETIME_MS) / DAY_MS) * DAY_MS;
  const lines = [
    `Contact: ${config.securityContact}`,
    `Expires: ${new Date(day).toISOString()}`,
    "Preferred-Languages: en, es, pt",
    `Canonical: ${config.publicUrl}/.well-known/security.txt`,
  ];
  return c.text(`${lines.join("\n")}\n`, 200, { "cache-control": "public, max-age=86400" });
}
