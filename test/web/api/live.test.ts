import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  LIVE_CLOSE_CROWDED,
  LIVE_CLOSE_RENEW,
  LIVE_CLOSE_REVOKED,
  LIVE_PONG,
} from "../../../db/shapes/work/live.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { errorReply, IDENTITY, token, tokenResponse } from "../../support/scripted-network.ts";

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

it("asks for another ticket where the network swallows the first", async () => {
  const asked: string[] = [];
  const browser = createBrowserHarness();
  browser.signIn();
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", (path: string, init: RequestInit = {}) => {
    if (!path.endsWith("/ticket")) return fetch(path, init);
    asked.push(path);
    return new Promise((_resolve, reject) => init.signal?.addEventListener("abort", reject));
  });
  const { connectLive } = await import("../../../web/api/live/live.ts");
  const leave = connectLive();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(asked.length).toBeGreaterThan(1);
  leave();
});

/** Opens a socket for a driver who is signed in; those of the page come after one another. */
async function openSocket() {
  vi.useRealTimers();
  const browser = createBrowserHarness();
  browser.signIn();
  browser.answer({
    "POST /flex/v1/live/ticket": { body: { ticket: "t", expiresAt: 1 } },
    Refresh: tokenResponse(),
  });
  const sockets: Socket[] = [];
  class Socket extends EventTarget {
    static readonly OPEN = 1;
    readyState = Socket.OPEN;
    readonly sent: unknown[] = [];
    readonly url: string;
    constructor(url: URL) {
      super();
      this.url = url.href;
      sockets.push(this);
    }
    send(text: string) {
      if (text.startsWith("{")) this.sent.push(JSON.parse(text));
    }
    close() {}
    /** The server closes it. */
    end(code: number) {
      this.dispatchEvent(Object.assign(new Event("close"), { code }));
    }
  }
  vi.stubGlobal("WebSocket", Socket);
  const { loadSession, sessionStore } = await import("../../../web/api/session/session.ts");
  const session = loadSession(IDENTITY.clientId);
  sessionStore.setState(() => session);
  const live = await import("../../../web/api/live/live.ts");
  const leave = live.connectLive();
  await vi.waitFor(() => expect(sockets).toHaveLength(1));
  return { browser, leave, sockets, session, sessionStore, ...live };
}

it("opens its socket over TLS where the page came over TLS", async () => {
  const { leave, sockets } = await openSocket();
  expect(sockets.map(({ url }) => url)).toEqual(["wss://jornada.test/flex/v1/live"]);
  leave();
});

it("has one socket for all parts of a screen, which stays until the last of them has gone", async () => {
  const { browser, connectLive, leave, sockets } = await openSocket();
  const closed = vi.spyOn(sockets[0] as EventTarget & { close: () => void }, "close");
  const leaveToo = connectLive();
  await new Promise(setImmediate);
  expect([sockets.length, browser.count("POST /flex/v1/live/ticket")]).toEqual([1, 1]);
  leave();
  expect(closed.mock.calls).toHaveLength(0);
  leaveToo();
  expect(closed.mock.calls).toHaveLength(1);
});

describe("a socket that the server closes", () => {
  it("since its session ended is followed by one of the session that this device has by now, which isn't renewed", async () => {
    const { browser, leave, sockets, sessionStore } = await openSocket();
    sessionStore.setState((session) => session && { ...session, idToken: token("id") });
    sockets[0]?.end(LIVE_CLOSE_REVOKED);
    await vi.waitFor(() => expect(sockets).toHaveLength(2));
    expect(browser.count("Refresh")).toBe(0);
    leave();
  });

  it("since its session ended, where there is no other, is followed by one once that could be renewed", async () => {
    const { browser, leave, sockets } = await openSocket();
    sockets[0]?.end(LIVE_CLOSE_REVOKED);
    await vi.waitFor(() => expect(sockets).toHaveLength(2));
    expect(browser.count("Refresh")).toBe(1);
    leave();
  });

  it("since its session ended, which can't be renewed, is followed by none", async () => {
    const { browser, leave, sockets, sessionStore } = await openSocket();
    browser.answer({ Refresh: errorReply("NotAuthorizedException", "Refresh Token has been revoked") });
    sockets[0]?.end(LIVE_CLOSE_REVOKED);
    await vi.waitFor(() => expect(sessionStore.get()).toBeNull());
    expect(sockets).toHaveLength(1);
    leave();
  });

  it("after a sign-out is followed by none, and nothing is renewed", async () => {
    const { browser, leave, sockets, sessionStore } = await openSocket();
    sessionStore.setState(() => null);
    sockets[0]?.end(LIVE_CLOSE_REVOKED);
    await new Promise(setImmediate);
    expect([sockets.length, browser.count("Refresh")]).toEqual([1, 0]);
    leave();
  });

  it("to renew it is followed by another at once, and too many by none", async () => {
    const { leave, liveStore, sockets } = await openSocket();
    sockets[0]?.end(LIVE_CLOSE_RENEW);
    await vi.waitFor(() => expect(sockets).toHaveLength(2));
    sockets[1]?.end(LIVE_CLOSE_CROWDED);
    expect([sockets.length, liveStore.get().connection]).toEqual([2, "crowded"]);
    leave();
  });
});

it.each([
  ["verification_required", [{ kind: "returned" }]],
  ["searching", []],
])("a driver who comes back to the page while the phase is %s", async (kind, told) => {
  const { leave, liveStore, sockets } = await openSocket();
  liveStore.setState((state) => ({ ...state, snapshot: { phase: { kind } } as typeof state.snapshot }));
  window.dispatchEvent(new Event("focus"));
  expect(sockets[0]?.sent).toEqual(told);
  leave();
});

describe("a page that its browser slows down or stops", () => {
  /** A socket that is open, on a clock that the test moves; whatever is sent is answered while the server can be reached. */
  async function openOnClock() {
    const opened = await openSocket();
    const [socket] = opened.sockets;
    if (!socket) throw new Error("no socket");
    const server = { isReachable: true };
    vi.useFakeTimers({ now: Date.now() });
    const answer = () => socket.dispatchEvent(Object.assign(new Event("message"), { data: LIVE_PONG }));
    socket.send = () => void (server.isReachable && answer());
    return { ...opened, server, open: () => socket.dispatchEvent(new Event("open")) };
  }

  it("keeps its socket while hidden, when intervals run once a minute", async () => {
    const { leave, liveStore, open, sockets } = await openOnClock();
    const every = setInterval;
    vi.stubGlobal("setInterval", (run: () => void) => every(run, 60_000));
    open();
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect([sockets.length, liveStore.get().connection, liveStore.get().isStale]).toEqual([1, "open", false]);
    leave();
  });

  it("asks for no message where messages come by themselves", async () => {
    const { leave, open, sockets } = await openOnClock();
    open();
    const send = vi.spyOn(sockets[0]!, "send");
    for (let second = 0; second < 120; second += 1) {
      sockets[0]!.dispatchEvent(Object.assign(new Event("message"), { data: LIVE_PONG }));
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(send.mock.calls).toEqual([]);
    leave();
  });

  it.each([
    ["that answers", true],
    ["that died meanwhile", false],
  ])("knows soon after an hour of sleep whether it has a socket %s", async (_socket, isAlive) => {
    const { leave, liveStore, open, server } = await openOnClock();
    open();
    server.isReachable = isAlive;
    vi.setSystemTime(Date.now() + 3_600_000);
    window.dispatchEvent(new Event("focus"));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(liveStore.get()).toMatchObject({ connection: isAlive ? "open" : "waiting", isStale: !isAlive });
    leave();
  });
});
