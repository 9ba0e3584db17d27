import { createTestHarness } from "wrangler";

/** The sandbox in a runtime of its own, on a port of its own, with a world that dies with it. */
export type SandboxServer = {
  /** Origin, without a slash at the end. */
  url: string;
  /** Lets the world's object go from memory, as an idle runtime does; its storage stays. */
  evict: () => Promise<void>;
  stop: () => Promise<void>;
};

export async function startSandbox(): Promise<SandboxServer> {
  // The runtime's makers are not asked where this machine stands: a test fetches nothing.
  process.env["CLOUDFLARE_CF_FETCH_ENABLED"] = "false";
  const server = createTestHarness({
    workers: [{ configPath: new URL("sandbox/wrangler.toml", import.meta.url) }],
  });
  const { url } = await server.listen();
  return {
    url: url.origin,
    evict: () => server.getWorker().evictDurableObject("World", { name: "world" }),
    stop: () => server.close(),
  };
}
