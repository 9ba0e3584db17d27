import type { Context } from "hono";
import type { App } from "./context.ts";
import { Failure } from "./failure.ts";

/** The page, at every address that is no file; its headers stand in `web/public/_headers`. A chunk of an earlier build is 404, not the page. */
export async function page(c: Context<App>): Promise<Response> {
  if (c.req.path.startsWith("/assets/")) throw new Failure("not_found");
  return c.env.ASSETS.fetch(new URL("/", c.req.url).href);
}
