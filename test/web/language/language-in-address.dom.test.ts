import { afterEach, expect, it, vi } from "vitest";
import { changeLocale, currentLocale } from "../../../web/features/language/locale.ts";

afterEach(() => {
  vi.restoreAllMocks();
  history.replaceState(null, "", "/");
  changeLocale("en");
});

it.each([
  ["keeps cookies", true, "/es/faqs", "/faqs"],
  ["keeps cookies", true, "/faqs", "/faqs"],
  ["keeps none", false, "/es/faqs", "/pt/faqs"],
  ["keeps none", false, "/", "/pt"],
  // A driver's screen has one address.
  ["keeps none", false, "/flex/dashboard", "/flex/dashboard"],
])("of a browser that %s (%s) is named in the address: %s becomes %s", async (_, isKept, before, after) => {
  history.replaceState(null, "", before);
  if (!isKept) vi.spyOn(document, "cookie", "get").mockReturnValue("");
  changeLocale("pt");
  await expect.poll(currentLocale).toBe("pt");
  expect(location.pathname).toBe(after);
});
