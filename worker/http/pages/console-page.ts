import type { Context, Next } from "hono";
import { isEqual } from "../../identity/bytes.ts";
import { listActPage } from "../../console/act-log.ts";
import { ApiError } from "../errors/api-error.ts";
import type { AppEnv } from "../app-env.ts";
import { operatorByAccess } from "../gate/operator-gate.ts";

const ASSETS = "/ops/assets/";

const POLICY =
  "default-src 'self'; object-src 'none'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/** Serves the console and its files to operators, and to nobody else that there is one. */
export async function serveConsole(c: Context<AppEnv>): Promise<Response> {
  await operatorByAccess(c);
  const isAsset = c.req.path.startsWith(ASSETS);
  const asset = await c.env.ASSETS.fetch(new URL(isAsset ? c.req.path : "/ops.html", c.req.url).href);
  if (isAsset && !asset.ok) throw new ApiError("not_found");
  const response = new Response(asset.body, asset);
  // Its files are for operators alone, and load nothing from elsewhere.
  response.headers.set("cache-control", isAsset ? "private, max-age=31536000, immutable" : "no-store");
  // In place of the page's. The development server has none, since its own scripts and styles are inline.
  if (response.headers.has("content-security-policy"))
    response.headers.set("content-security-policy", POLICY);
  return response;
}

/** The latest acts that a reader gets. */
const LENGTH = 100;

/**
 * The log of operators' acts as a feed (JSON Feed 1.1), for a second person with a token of its own. It reads and can do
 * nothing else. A call without a token is the console's page of this name.
 */
export async function serveActFeed(c: Context<AppEnv>, next: Next): Promise<Response | void> {
  const { config, db } = c.var.deps;
  const [, given] = /^Bearer (\S+)$/.exec(c.req.header("authorization") ?? "") ?? [];
  const token = config.operators?.logToken ?? null;
  if (given === undefined || token === null) return next();
  if (!(await isSame(given, token))) throw new ApiError("unauthenticated");
  const { acts } = await listActPage(db, {}, LENGTH);
  const feed = {
    version: "https://jsonfeed.org/version/1.1",
    title: `${config.productName}: operators`,
    items: acts.map((act) => ({
      id: act.id,
      date_published: new Date(act.at).toISOString(),
      title: `${act.operator} (${act.role}): ${act.act}`,
      content_text: JSON.stringify({ driver: act.driverId, what: act.what, reason: act.reason }),
    })),
  };
  return c.body(JSON.stringify(feed), 200, { "content-type": "application/feed+json" });
}

/** Compares digests, whose length tells nothing. */
async function isSame(one: string, other: string): Promise<boolean> {
  const digest = (text: string) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const [left, right] = await Promise.all([digest(one), digest(other)]);
  return isEqual(new Uint8Array(left), new Uint8Array(right));
}
