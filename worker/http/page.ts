import type { Context } from "hono";
import type { App } from "./context.ts";
import { Failure } from "./failure.ts";
import { allow } from "./page-policy.ts";

/** The frame in which a driver arrives: the one page of ours that may stand in a page of ours. */
const ARRIVED = "/arrived";

/**
 * The page, at every address that is no file. Its headers stand in `web/public/_headers`; what
 * hangs on the deployment's settings is added here. A chunk of an earlier build is 404, not the page.
 */
export async function page(c: Context<App>): Promise<Response> {
  if (c.req.path.startsWith("/assets/")) throw new Failure("not_found");
  const asset = await c.env.ASSETS.fetch(new URL("/", c.req.url).href);
  const answer = new Response(asset.body, asset);
  const { origin } = new URL(c.var.deps.config.platform.url);
  allow(answer.headers, { frames: [origin], framed: c.req.path === ARRIVED });
  return answer;
}
