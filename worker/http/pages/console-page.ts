import type { Context } from "hono";
import { ApiError } from "../errors/api-error.ts";
import type { AppEnv } from "../app-env.ts";
import { operatorByAccess } from "../gate/operator.ts";

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
