import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../app-env.ts";
import { ApiError } from "../errors/api-error.ts";

/** On the console's own host there is nothing but the console: no page that loads scripts of others shares its origin. */
export const separateConsoleHost = createMiddleware<AppEnv>(async (c, next) => {
  const { operators } = c.var.deps.config;
  const { host, pathname } = new URL(c.req.url);
  const isOfConsole = /^\/ops(?:[./]|$)/.test(pathname);
  if (operators?.host === host && !isOfConsole) throw new ApiError("not_found");
  await next();
});
