import { screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { CHAT_ATTRIBUTE } from "../../../worker/contract/page-parts.ts";
import { configQuery } from "../../../web/api/queries/user.ts";
import { chatLoadedStore } from "../../../web/features/chat/chat-page.ts";
import { chatQuery } from "../../../web/features/chat/chat-query.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { ContactList } from "../../../web/features/support/contact-list.tsx";
import { isSheetOpen, openSheet, uiStore } from "../../../web/features/ui-state/ui-store.ts";
import { setPageSession } from "../../support/page-session.ts";
import { renderPart } from "../../support/rendered-part.ts";

const CHAT = { url: "https://chat.test", token: "web1" };
const DRIVER = {
  identifier: "jornada-1",
  identifierHash: "hash",
  name: "Ana",
  attributes: {},
  label: "driver",
};
const SUPPORT = { email: null, phone: null, whatsapp: [], announcementsUrl: null };

/** The chat's own script, which has loaded; the page loads it once. */
const widget = {
  hasLoaded: true,
  setUser: vi.fn<(identifier: string) => void>(),
  setCustomAttributes: () => {},
  setLabel: () => {},
  setLocale: vi.fn<(locale: string) => void>(),
  toggle: vi.fn<(state: "open" | "close") => void>(),
  reset: () => {},
};

beforeAll(() => changeLocale("en"));
beforeEach(() => {
  setPageSession("driver-1");
  vi.clearAllMocks();
  Object.assign(window, { $chatwoot: widget });
  openSheet("support");
});
afterEach(() => {
  document.documentElement.removeAttribute(CHAT_ATTRIBUTE);
  setPageSession(null);
  chatLoadedStore.setState(() => false);
  openSheet(null);
  delete window.$chatwoot;
  delete window.chatwootSettings;
  vi.restoreAllMocks();
});

/** The contacts in an open sheet, on a page that may show the chat or not. */
async function showContacts({
  mayShow = true,
  chat = CHAT as object | null,
  driver = DRIVER as object | null,
}) {
  document.documentElement.toggleAttribute(CHAT_ATTRIBUTE, mayShow);
  const { user } = await renderPart(createElement(ContactList), {
    answered: [
      [configQuery.queryKey, { productName: "Jornada", support: SUPPORT, chat }],
      [chatQuery.queryKey, driver],
    ],
  });
  const button = () => screen.queryByRole("button", { name: "Chat with us" });
  const press = () => user.click(screen.getByRole("button", { name: "Chat with us" }));
  return { button, press, isSheetShown: () => isSheetOpen(uiStore.get(), "support") };
}

it("opens as the driver, and closes the sheet over it", async () => {
  const { press, isSheetShown } = await showContacts({});
  await press();
  await expect.poll(isSheetShown).toBe(false);
  expect(widget.setUser.mock.calls.map(([identifier]) => identifier)).toEqual(["jornada-1"]);
  expect(widget.toggle.mock.calls).toEqual([["open"]]);
});

it("loads a page anew that may not show it, to open it there", async () => {
  const assign = vi.spyOn(location, "assign").mockReturnValue();
  const { press, isSheetShown } = await showContacts({ mayShow: false });
  await press();
  await expect.poll(() => assign.mock.calls.map(String)).toEqual([expect.stringContaining("?chat=open")]);
  await screen.findByRole("button", { name: "Opening the chat…" });
  expect([widget.toggle.mock.calls, isSheetShown()]).toEqual([[], true]);
});

it.each([
  ["the deployment has none", { chat: null }],
  ["it doesn't know the driver there", { driver: null }],
])("is not offered where %s", async (_, given) => {
  expect((await showContacts(given)).button()).toBeNull();
});
