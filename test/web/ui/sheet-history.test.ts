import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type * as SheetHistory from "../../../web/ui/sheet-history.ts";

/** A tab's history, which steps back a moment later, as a browser does. */
class TabHistory {
  entries: { state: unknown; href: string }[] = [
    { state: { key: "before" }, href: "https://jornada.test/faqs" },
    { state: { key: "screen" }, href: "https://jornada.test/flex/filters" },
  ];
  index = 1;
  get state(): unknown {
    return this.entries[this.index]?.state;
  }
  get href(): string {
    return this.entries[this.index]?.href ?? "";
  }
  pushState(state: unknown, _title?: string, href = this.href): void {
    this.entries = [...this.entries.slice(0, this.index + 1), { state, href }];
    this.index += 1;
  }
  replaceState(state: unknown, _title?: string, href = this.href): void {
    this.entries[this.index] = { state, href };
  }
  back(): void {
    setTimeout(() => {
      this.index -= 1;
      window.dispatchEvent(new Event("popstate"));
    });
  }
}

let tab: TabHistory;
/** The addresses that reached the router. */
let routed: string[];
let sheets: typeof SheetHistory;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "queueMicrotask"] });
  tab = new TabHistory();
  vi.stubGlobal("History", TabHistory);
  vi.stubGlobal("history", tab);
  vi.stubGlobal("location", {
    get href() {
      return tab.href;
    },
  });
  await reload();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The page's code starts anew, over the same entries. */
async function reload(): Promise<void> {
  routed = [];
  vi.stubGlobal("window", new EventTarget());
  vi.resetModules();
  sheets = await import("../../../web/ui/sheet-history.ts");
  sheets.followHistory();
  // The router's.
  window.addEventListener("popstate", () => routed.push(tab.href));
  // Each sheet of the shell, closed.
  sheets.leaveStaleEntry();
  sheets.leaveStaleEntry();
}

/** A sheet, which is closed by Back or by its button. */
function openSheet() {
  const sheet = { isOpen: true, close: () => undefined };
  const closed = sheets.closeOnBack(() => sheet.close());
  const close = () => {
    sheet.isOpen = false;
    closed();
    return undefined;
  };
  sheet.close = close;
  return sheet;
}

const back = () => {
  tab.back();
  vi.advanceTimersByTime(1_000);
};

it("is closed by Back, which stays on the screen", () => {
  const sheet = openSheet();
  vi.advanceTimersByTime(1_000);
  expect(tab.entries).toHaveLength(3);
  back();
  expect([sheet.isOpen, tab.index, routed]).toEqual([false, 1, []]);
});

it("leaves no entry for Back once it is closed", () => {
  const sheet = openSheet();
  vi.advanceTimersByTime(1_000);
  sheet.close();
  vi.advanceTimersByTime(1_000);
  expect([tab.index, routed]).toEqual([1, []]);
  back();
  expect(routed).toEqual(["https://jornada.test/faqs"]);
});

it("leaves no entry for Back where the page was reloaded while it was open", async () => {
  openSheet();
  vi.advanceTimersByTime(1_000);
  await reload();
  vi.advanceTimersByTime(1_000);
  expect([tab.index, routed]).toEqual([1, []]);
  back();
  expect(routed).toEqual(["https://jornada.test/faqs"]);
});

it.each([
  ["before the reloaded page has left its entry", []],
  ["while it leaves its entry", [0]],
  ["after that", [1_000]],
])("is closed by Back after a reload, opened %s", async (_when, waitedMs) => {
  openSheet();
  vi.advanceTimersByTime(1_000);
  await reload();
  for (const ms of waitedMs) vi.advanceTimersByTime(ms);
  const sheet = openSheet();
  vi.advanceTimersByTime(1_000);
  back();
  expect([sheet.isOpen, tab.index, routed]).toEqual([false, 1, []]);
});

const BLOCKS = "https://jornada.test/flex/blocks";
const FAQS = "https://jornada.test/faqs";
const FILTERS = "https://jornada.test/flex/filters";

/** As the router does, with a state of its own. */
const follow = (href: string) => tab.pushState({ key: href }, "", href);
const addresses = () => tab.entries.map(({ href }) => href);

it.each([
  ["in it", "open", []],
  ["in the moment that it is closed", "closed", []],
  ["while its entry is left", "closed", [0]],
  ["after that", "closed", [1_000]],
])("keeps the way to a link that is followed %s, and back to the screen", (_when, state, waitedMs) => {
  const sheet = openSheet();
  vi.advanceTimersByTime(1_000);
  if (state === "closed") sheet.close();
  for (const ms of waitedMs) vi.advanceTimersByTime(ms);
  follow(BLOCKS);
  if (sheet.isOpen) sheet.close();
  vi.advanceTimersByTime(1_000);
  expect({ addresses: addresses(), at: tab.href }).toEqual({
    addresses: [FAQS, FILTERS, BLOCKS],
    at: BLOCKS,
  });
  back();
  expect([tab.href, routed]).toEqual([FILTERS, [FILTERS]]);
});

it("keeps what replaces the screen's address while its entry is left", () => {
  const sheet = openSheet();
  vi.advanceTimersByTime(1_000);
  sheet.close();
  vi.advanceTimersByTime(0);
  tab.replaceState({ key: "week" }, "", `${FILTERS}#week`);
  vi.advanceTimersByTime(1_000);
  expect([tab.href, tab.index, routed]).toEqual([`${FILTERS}#week`, 1, []]);
});

it("leaves the screen by a step back that comes together with its own", () => {
  const sheet = openSheet();
  vi.advanceTimersByTime(1_000);
  sheet.close();
  vi.advanceTimersByTime(0);
  // Browsers make one step of two that follow each other closely.
  tab.index -= 1;
  vi.advanceTimersByTime(1_000);
  expect([tab.href, routed]).toEqual([FAQS, [FAQS]]);
});
