import { createTestHarness } from "wrangler";

/** Starts the sandbox in its own runtime, on a free port, with a world that is lost when it stops. */
export type SandboxServer = {
  /** Origin, without a trailing slash. */
  url: string;
  /** Evicts the world's object from memory, as the runtime does when idle; its storage stays. */
  evict: () => Promise<void>;
  stop: () => Promise<void>;
};

export async function startSandbox(): Promise<SandboxServer> {
  // Keeps Miniflare from requesting the machine's location from Cloudflare: tests make no outside requests.
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
