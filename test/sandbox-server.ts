import { bundleSandbox, SANDBOX_FOLDER } from "./support/runtime/bundle-sandbox.ts";
import { startRuntime } from "./support/runtime/local-runtime.ts";

/** Starts the sandbox in its own runtime, on a free port, with a world that is lost when it stops. */
export type SandboxServer = {
  /** Origin, without a trailing slash. */
  url: string;
  /** Evicts the world's object from memory, as the runtime does when idle; its storage stays. */
  evict: () => Promise<void>;
  stop: () => Promise<void>;
};

export async function startSandbox(): Promise<SandboxServer> {
  bundleSandbox();
  const config = `${import.meta.dirname}/sandbox/wrangler.toml`;
  const { origin, miniflare, stop } = await startRuntime([{ config, folder: SANDBOX_FOLDER }]);
  return {
    url: origin,
    evict: () => miniflare.unsafeEvictDurableObject("jornada-sandbox", "World", { name: "world" }),
    stop,
  };
}
