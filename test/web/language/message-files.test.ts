import { afterEach, beforeEach, expect, it, vi } from "vitest";

const GROUPS = ["first", "home", "rest"];
const fileOf = (language: string, group: string) => `/assets/messages-${language}-${group}-1.js`;
const FILES = ["en", "es"].flatMap((language) => GROUPS.map((group) => fileOf(language, group)));

/** The files that the page has fetched, in order. */
let fetched: string[];

beforeEach(() => {
  vi.resetModules();
  fetched = [];
  for (const file of FILES) {
    vi.doMock(file, () => {
      fetched.push(file);
      const [, language, group] = /messages-(\w+)-(\w+)-/u.exec(file) ?? [];
      return { default: { [GROUPS.indexOf(group ?? "")]: () => `${group} in ${language}` } };
    });
  }
});
afterEach(() => {
  for (const file of FILES) vi.doUnmock(file);
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** A page whose HTML names all files, and those of its first screen to be loaded ahead. */
function openPage(preloaded: readonly string[]) {
  const named: Record<string, string[]> = {
    'meta[name="messages"]': [FILES.join(" ")],
    'link[rel="modulepreload"]': [...preloaded],
  };
  const querySelectorAll = (selector: string) =>
    (named[selector] ?? []).map((text) => ({ getAttribute: () => text }));
  vi.stubGlobal("document", { querySelectorAll });
  return import("../../../web/early/message-texts.ts");
}

it("loads the texts of the first screen first, once, and those of another language where the page is switched to it", async () => {
  const { loadFirstMessages, loadMessages, messageText, switchMessages, loadAllMessages } = await openPage([
    fileOf("en", "first"),
  ]);
  await loadFirstMessages("en");
  await loadFirstMessages("en");
  expect([fetched, messageText(0, {})]).toEqual([[fileOf("en", "first")], "first in en"]);
  expect(() => messageText(2, {})).toThrow("not loaded");
  await loadMessages("es");
  switchMessages("es");
  expect([fetched, messageText(0, {})]).toEqual([
    [fileOf("en", "first"), fileOf("es", "first")],
    "first in es",
  ]);
  await loadAllMessages();
  expect(messageText(2, {})).toBe("rest in es");
});

it("loads everything on a page that names nothing for its first screen", async () => {
  const { loadFirstMessages } = await openPage([]);
  await loadFirstMessages("es");
  expect(fetched.toSorted()).toEqual(GROUPS.map((group) => fileOf("es", group)));
});

it("loads texts once more that were on their way while the language changed", async () => {
  const { loadAllMessages, messageText, switchMessages } = await openPage([]);
  const loading = loadAllMessages();
  switchMessages("es");
  await loading;
  expect(messageText(1, {})).toBe("home in es");
});

it("loads each language once, though the page is switched to and fro while it loads", async () => {
  const { loadAllMessages, messageText, switchMessages } = await openPage([]);
  const loading = loadAllMessages();
  switchMessages("es");
  await Promise.resolve();
  switchMessages("en");
  await loading;
  expect(messageText(1, {})).toBe("home in en");
  expect(fetched.toSorted()).toEqual([...new Set(fetched)].toSorted());
});
