import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { App } from "./context.ts";
import { Failure } from "./failure.ts";

/** The page, at every address that is no file. A chunk of an earlier build is 404, not the page. */
export async function page(c: Context<App>): Promise<Response> {
  if (c.req.path.startsWith("/assets/")) throw new Failure("not_found");
  return c.env.ASSETS.fetch(new URL("/", c.req.url).href);
}

const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join("; ");

/** What the browser may do with the page. */
export const pageHeaders = createMiddleware<App>(async (c, next) => {
  await next();
  const headers = new Headers(c.res.headers);
  headers.set("content-security-policy", POLICY);
  headers.set("referrer-policy", "strict-origin-when-cross-origin");
  headers.set("x-content-type-options", "nosniff");
  headers.set("permissions-policy", "camera=(), microphone=(), geolocation=(self)");
  c.res = new Response(c.res.body, { status: c.res.status, headers });
});
