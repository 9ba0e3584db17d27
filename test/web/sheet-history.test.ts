import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type * as SheetHistory from "../../web/ui/sheet-history.ts";

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
  pushState(state: unknown): void {
    this.entries = [...this.entries.slice(0, this.index + 1), { state, href: this.href }];
    this.index += 1;
  }
  back(): void {
    setTimeout(() => {
      this.index -= 1;
      let isKept = false;
      const stopImmediatePropagation = () => void (isKept = true);
      window.dispatchEvent(Object.assign(new Event("popstate"), { stopImmediatePropagation }));
      // In a browser the capturing listener is the first.
      if (!isKept) routed.push(this.href);
    });
  }
}

let tab: TabHistory;
/** The addresses that the router was told of. */
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
});

/** The page's code starts anew, over the same entries. */
async function reload(): Promise<void> {
  routed = [];
  vi.stubGlobal("window", new EventTarget());
  vi.resetModules();
  sheets = await import("../../web/ui/sheet-history.ts");
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
  ["before the reloaded page has left its entry", 0],
  ["while it leaves its entry", 50],
  ["after that", 1_000],
])("is closed by Back after a reload, opened %s", async (_when, waitedMs) => {
  openSheet();
  vi.advanceTimersByTime(1_000);
  await reload();
  vi.advanceTimersByTime(waitedMs);
  const sheet = openSheet();
  vi.advanceTimersByTime(1_000);
  back();
  expect([sheet.isOpen, tab.index, routed]).toEqual([false, 1, []]);
});
