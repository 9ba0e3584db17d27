import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  currentToken,
  clearSession,
  restoreSession,
  sessionStore,
  syncAcrossTabs,
} from "../../../web/api/session/session.ts";
import { endChatWithSession } from "../../../web/features/chat/chat-page.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { errorReply, IDENTITY } from "../../support/scripted-network.ts";

endChatWithSession();

/** The effect of the page's script element. */
let scripts: (EventTarget & { isAttached: boolean; remove(): void })[];
let cookies: Map<string, string>;
let harness: ReturnType<typeof createBrowserHarness>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  harness = createBrowserHarness();
  scripts = [];
  cookies = new Map();
  vi.stubGlobal("document", {
    get cookie() {
      return [...cookies].map((pair) => pair.join("=")).join("; ");
    },
    set cookie(text: string) {
      const [pair = "", ...attributes] = text.split("; ");
      const [name = "", value = ""] = pair.split("=");
      expect(attributes).toContain("path=/");
      if (attributes.includes("max-age=0")) cookies.delete(name);
      else cookies.set(name, value);
    },
    createElement: () => {
      const script = Object.assign(new EventTarget(), {
        isAttached: false,
        remove: () => void (script.isAttached = false),
      });
      scripts.push(script);
      return script;
    },
    head: { append: (script: { isAttached: boolean }) => void (script.isAttached = true) },
  });
  sessionStore.setState(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

const DRIVER = {
  identifier: "jornada-+15550100144",
  name: "Ana",
  phoneNumber: "+15550100144",
  email: null,
  identifierHash: "hash",
  attributes: { good_standing: true, expiration_date: null, human_region: null, account_connected: true },
  label: "jornada",
};

/** The chat of a page that has just been loaded. */
async function loadPage() {
  vi.resetModules();
  const { openChat } = await import("../../../web/features/chat/chat-widget.ts");
  return () => openChat({ url: "https://chat.test", token: "web1", locale: "en" }, DRIVER);
}

/** Lets the script and its frame load. */
function answer() {
  const chat = {
    setUser: vi.fn(),
    setCustomAttributes: vi.fn(),
    setLabel: vi.fn(),
    setLocale: vi.fn(),
    toggle: vi.fn(),
    toggleBubbleVisibility: vi.fn(),
    reset: vi.fn(),
  };
  window.chatwootSDK = {
    run: () => {
      window.$chatwoot = chat;
      window.dispatchEvent(new Event("chatwoot:ready"));
    },
  };
  scripts.at(-1)?.dispatchEvent(new Event("load"));
  return chat;
}

it.each<[string, () => unknown]>([
  ["signs out", () => clearSession(IDENTITY)],
  [
    "is refused a renewal, since the session was ended elsewhere",
    async () => {
      harness.answer({ Refresh: errorReply("NotAuthorizedException", "Refresh Token has been revoked") });
      await currentToken(IDENTITY, { now: Date.now(), force: true }).catch(() => undefined);
    },
  ],
  [
    "signs out in another tab",
    () => {
      const stop = syncAcrossTabs(IDENTITY);
      harness.storage.clear();
      window.dispatchEvent(Object.assign(new Event("storage"), { key: null }));
      stop();
    },
  ],
])("leaves nothing of the support chat behind when a driver %s", async (_how, end) => {
  harness.signIn();
  restoreSession(IDENTITY, Date.now());
  cookies = new Map([
    ["cw_conversation", "theirs"],
    ["cw_user_web1", "hash"],
    ["PARAGLIDE_LOCALE", "pt"],
  ]);
  await end();
  expect([...cookies.keys()]).toEqual(["PARAGLIDE_LOCALE"]);
});

it("is opened as nobody where the driver signs out while it loads", async () => {
  const open = await loadPage();
  harness.signIn();
  // That of the page that was loaded anew.
  const session = await import("../../../web/api/session/session.ts");
  session.restoreSession(IDENTITY, Date.now());
  const opened = open();
  session.clearSession(IDENTITY);
  const chat = answer();
  await expect(opened).rejects.toThrow("signed out");
  expect([chat.setUser.mock.calls, chat.toggle.mock.calls]).toEqual([[], []]);
  expect(chat.toggleBubbleVisibility.mock.calls).toEqual([["hide"]]);
});

it("labels the conversation that the first message begins", async () => {
  const open = await loadPage();
  const opened = open();
  const chat = answer();
  await opened;
  chat.setLabel.mockClear();
  for (let message = 0; message < 2; message += 1) window.dispatchEvent(new Event("chatwoot:on-message"));
  expect(chat.setLabel.mock.calls).toEqual([["jornada"]]);
});

it.each<[string, () => void]>([
  ["whose script is refused", () => scripts.at(-1)?.dispatchEvent(new Event("error"))],
  ["whose script is none", () => scripts.at(-1)?.dispatchEvent(new Event("load"))],
  [
    "whose frame never loads",
    () => {
      window.chatwootSDK = { run: () => undefined };
      scripts.at(-1)?.dispatchEvent(new Event("load"));
      vi.advanceTimersByTime(20_000);
    },
  ],
])("gives up a chat %s, and tries anew at the next tap", async (_which, happen) => {
  const open = await loadPage();
  const opened = open();
  happen();
  await expect(opened).rejects.toThrow(/failed to load|not its own|is late/u);
  expect(scripts.map(({ isAttached }) => isAttached)).toEqual([false]);

  const again = open();
  expect(scripts.map(({ isAttached }) => isAttached)).toEqual([false, true]);
  const chat = answer();
  await again;
  expect(chat.toggle).toHaveBeenCalledWith("open");
});
