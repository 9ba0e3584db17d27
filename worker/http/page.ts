import type { Context } from "hono";
import type { AppEnv } from "./app-env.ts";
import { ApiError } from "./api-error.ts";
import { applyPagePolicy } from "./page-policy.ts";

/** The check-in page, the only one that our own pages may frame. */
const ARRIVED_PATH = "/arrived";

/**
 * Serves the page at every path that isn't a file. Its headers are in `web/public/_headers`; those that depend on
 * the deployment's settings are added here. A chunk of an earlier build is 404, not the page.
 */
export async function servePage(c: Context<AppEnv>): Promise<Response> {
  if (c.req.path.startsWith("/assets/")) throw new ApiError("not_found");
  const asset = await c.env.ASSETS.fetch(new URL("/", c.req.url).href);
  const response = new Response(asset.body, asset);
  const { platform, identity, turnstile, chat, recording } = c.var.deps.config;
  applyPagePolicy(response.headers, {
    frameOrigins: [new URL(platform.url).origin],
    connectOrigins: identity.kind === "cognito" ? [new URL(identity.endpoint).origin] : [],
    scriptOrigins: [turnstile, chat].flatMap((part) => (part ? [new URL(part.url).origin] : [])),
    recorderOrigins: recording?.origins ?? [],
    hasInlineStyles: chat !== null,
    isFramed: c.req.path === ARRIVED_PATH,
  });
  return response;
}
