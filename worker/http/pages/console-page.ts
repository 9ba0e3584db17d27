import type { Context } from "hono";
import { ApiError } from "../errors/api-error.ts";
import type { AppEnv } from "../app-env.ts";
import { operatorByAccess } from "../gate/operator.ts";

const ASSETS = "/ops/assets/";

/** Serves the console and its files to operators, and to nobody else that there is one. */
export async function serveConsole(c: Context<AppEnv>): Promise<Response> {
  await operatorByAccess(c);
  const isAsset = c.req.path.startsWith(ASSETS);
  const asset = await c.env.ASSETS.fetch(new URL(isAsset ? c.req.path : "/ops.html", c.req.url).href);
  if (isAsset && !asset.ok) throw new ApiError("not_found");
  return new Response(asset.body, asset);
}
