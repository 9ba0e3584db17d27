import { URL } from "node:url";
import { registerHooks } from "node:module";
import type { Driver } from "../../../durable/driver/driver.ts";
import type { Env } from "../../../durable/runtime/env.ts";

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "cloudflare:workers"
      ? { url: new URL("../host/workers-module.ts", import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
});

export type DriverClass = new (ctx: DurableObjectState, env: Env) => Driver;

/** The product's own class, whole, from this folder or a copy of it. */
export async function loadDriverClass(root = new URL("../../..", import.meta.url)): Promise<DriverClass> {
  const module: { Driver: DriverClass } = await import(new URL("durable/driver/driver.ts", root).href);
  return module.Driver;
}
