import type { Plugin } from "vite";
import { expect, it } from "vitest";
import config from "../../../web/vite.config.ts";

/** The names of the plugins with which the page is built in a mode. */
async function pluginsOf(mode: string): Promise<string[]> {
  const { plugins = [] } = await config({ command: "build", mode });
  const flat = (await Promise.all(plugins)).flat(Infinity as 1) as (Plugin | false | null | undefined)[];
  return flat.flatMap((plugin) => (plugin ? [plugin.name] : []));
}

it("puts the sandbox's Stripe into the page for tests, and leaves no trace of it in production", async () => {
  expect(await pluginsOf("sandbox")).toContain("sandbox-stripe");
  expect(await pluginsOf("production")).not.toContain("sandbox-stripe");
});
