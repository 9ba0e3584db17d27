import { afterEach, expect, it, vi } from "vitest";
import { nameInAddress } from "../../../web/features/support/questions.ts";

afterEach(() => void vi.unstubAllGlobals());

/** The address of a page on which an answer is opened or closed, with the entry's state. */
function addressAfter(address: string, id: string, isOpen: boolean): string {
  let shown = new URL(address, "https://jornada.test").href;
  class History {
    replaceState(state: unknown, _title: string, url: URL): void {
      expect(state).toBe("the router's");
      shown = url.href;
    }
  }
  // The router replaces the instance's own, which would navigate.
  const instance = Object.assign(new History(), {
    state: "the router's",
    replaceState: () => expect.unreachable("the router navigates"),
  });
  vi.stubGlobal("History", History);
  vi.stubGlobal("history", instance);
  vi.stubGlobal("location", new URL(shown));
  nameInAddress(id, isOpen);
  return shown.replace("https://jornada.test", "");
}

it("names the answer that was opened last, until that one is closed", () => {
  expect([
    addressAfter("/faqs", "refunds", true),
    addressAfter("/faqs#cost", "refunds", true),
    addressAfter("/faqs#refunds", "refunds", false),
    addressAfter("/faqs#cost", "refunds", false),
    addressAfter("/faqs", "refunds", false),
  ]).toEqual(["/faqs#refunds", "/faqs#refunds", "/faqs", "/faqs#cost", "/faqs"]);
});
