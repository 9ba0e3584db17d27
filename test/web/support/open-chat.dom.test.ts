import { createElement } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { htmlOfPart } from "../../support/page-part.ts";
import { IDENTITY } from "../../support/scripted-network.ts";

const WIDGET = "../../../web/features/chat/chat-widget.ts";
const CHAT = { url: "https://chat.test", token: "web1" };
const DRIVER = { identifier: "jornada-1", name: "Ana" };

let assigned: string[];
beforeEach(() => {
  vi.resetModules();
  createBrowserHarness().signIn();
  assigned = [];
  const assign = (address: URL) => void assigned.push(address.href);
  vi.stubGlobal("location", { href: "https://jornada.test/contact", assign });
});
afterEach(() => {
  vi.doUnmock(WIDGET);
  vi.resetModules();
  vi.unstubAllGlobals();
});

/** The chat that a part of the page is offered, on a page that may show it or not, with a sheet open. */
async function chatOn({ mayShow = true, chat = CHAT as object | null, driver = DRIVER as object | null }) {
  const openChat = vi.fn<() => Promise<void>>(async () => {});
  vi.doMock(WIDGET, () => ({ openChat }));
  const { restoreSession } = await import("../../../web/api/session/session.ts");
  restoreSession(IDENTITY, Date.now());
  const { uiStore, openSheet, isSheetOpen } = await import("../../../web/features/ui-state/ui-store.ts");
  openSheet("support");
  const { useOpenChat } = await import("../../../web/features/chat/use-open-chat.ts");
  const given: ReturnType<typeof useOpenChat>[] = [];
  const Probe = () => {
    given.push(useOpenChat());
    return null;
  };
  const answered: [readonly string[], unknown][] = [
    [["config"], { chat }],
    [["chat"], driver],
  ];
  await htmlOfPart(createElement(Probe), { answered });
  vi.stubGlobal("document", { documentElement: { hasAttribute: () => mayShow } });
  return {
    chat: given[0],
    opened: openChat.mock.calls,
    isSheetShown: () => isSheetOpen(uiStore.get(), "support"),
  };
}

it("opens as the driver, in the page's language, and closes the sheet over it", async () => {
  const { chat, opened, isSheetShown } = await chatOn({});
  expect([chat?.isOffered, isSheetShown()]).toEqual([true, true]);
  chat?.open();
  await expect.poll(isSheetShown).toBe(false);
  expect(opened).toEqual([[{ ...CHAT, locale: "en" }, DRIVER]]);
});

it("loads a page anew that may not show it, to open it there", async () => {
  const { chat, opened, isSheetShown } = await chatOn({ mayShow: false });
  chat?.open();
  await expect.poll(() => assigned).toEqual(["https://jornada.test/contact?chat=open"]);
  expect([opened, isSheetShown()]).toEqual([[], true]);
});

it("is offered only where the deployment has one and knows the driver there", async () => {
  expect((await chatOn({ chat: null })).chat?.isOffered).toBe(false);
  vi.unstubAllGlobals();
  createBrowserHarness().signIn();
  expect((await chatOn({ driver: null })).chat?.isOffered).toBe(false);
});
