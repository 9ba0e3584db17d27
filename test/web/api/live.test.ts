import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createBrowserHarness } from "../../support/browser-harness.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 22, 16) });
  createBrowserHarness();
  vi.stubGlobal("document", new EventTarget());
  // A network on which nothing ever answers.
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  vi.resetModules();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  // Calls that wait for that network don't concern the files that come after.
  vi.resetModules();
});

/** Comes back to a screen whose connection was last heard of so long ago, and stays there so long. */
async function revisit({ afterMs, forMs }: { afterMs: number; forMs: number }): Promise<boolean> {
  const { connectLive, dispatchLive, liveStore } = await import("../../../web/api/live/live.ts");
  dispatchLive({ kind: "pong", at: Date.now() - afterMs });
  const leave = connectLive();
  vi.advanceTimersByTime(forMs);
  leave();
  return liveStore.get().isStale;
}

it.each([
  ["a moment later", { afterMs: 10_000, forMs: 20_000 }, false],
  ["an hour later", { afterMs: 3_600_000, forMs: 2_000 }, false],
  ["an hour later, without an answer for seconds", { afterMs: 3_600_000, forMs: 3_000 }, true],
  ["a moment later, without an answer for long", { afterMs: 10_000, forMs: 35_000 }, true],
])("takes what was known for old on a screen that is visited again %s", async (_when, visit, isStale) => {
  expect(await revisit(visit)).toBe(isStale);
});

it("opens its socket over TLS where the page came over TLS", async () => {
  vi.useRealTimers();
  const browser = createBrowserHarness();
  browser.signIn();
  browser.answer({ "POST /flex/v1/live/ticket": { body: { ticket: "t", expiresAt: 1 } } });
  const opened: string[] = [];
  class Socket extends EventTarget {
    static readonly OPEN = 1;
    constructor(url: URL) {
      super();
      opened.push(url.href);
    }
    close() {}
  }
  vi.stubGlobal("WebSocket", Socket);
  const { connectLive } = await import("../../../web/api/live/live.ts");
  const leave = connectLive();
  await vi.waitFor(() => expect(opened).toEqual(["wss://jornada.test/flex/v1/live"]));
  leave();
});
