import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { configQuery } from "../../../web/api/queries/user.ts";
import { ChatBubble } from "../../../web/features/chat/chat-bubble.tsx";
import { chatLoadedStore } from "../../../web/features/chat/chat-page.ts";
import { chatQuery } from "../../../web/features/chat/chat-query.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { setPageSession } from "../../support/page-session.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => setPageSession("driver-1"));
afterEach(() => {
  setPageSession(null);
  chatLoadedStore.setState(() => false);
});

const CHAT = { url: "https://chat.test", token: "website" };
const DRIVER = { identifier: "driver-1", identifierHash: "hash" };

async function isShown({
  chat = CHAT,
  driver = DRIVER,
}: { chat?: object | null; driver?: object | null } = {}) {
  const html = await htmlOfPart(createElement(ChatBubble, { hasTabs: true }), {
    answered: [
      [configQuery.queryKey, { productName: "Jornada", chat }],
      [chatQuery.queryKey, driver],
    ],
  });
  return html.includes('aria-label="Chat with us"');
}

it("is offered to a driver who is signed in, where there is a chat, until the chat has its own bubble", async () => {
  expect([await isShown(), await isShown({ chat: null }), await isShown({ driver: null })]).toEqual([
    true,
    false,
    false,
  ]);
  chatLoadedStore.setState(() => true);
  expect(await isShown()).toBe(false);
  chatLoadedStore.setState(() => false);
  setPageSession(null);
  expect(await isShown()).toBe(false);
});
