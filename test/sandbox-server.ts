import { createTestHarness } from "wrangler";
import { quietMiniflare } from "./support/quiet-miniflare.ts";

/** Starts the sandbox in its own runtime, on a free port, with a world that is lost when it stops. */
export type SandboxServer = {
  /** Origin, without a trailing slash. */
  url: string;
  /** Evicts the world's object from memory, as the runtime does when idle; its storage stays. */
  evict: () => Promise<void>;
  stop: () => Promise<void>;
};

export async function startSandbox(): Promise<SandboxServer> {
  quietMiniflare();
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
