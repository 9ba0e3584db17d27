import { expect, it } from "vitest";
import {
  closeSheet,
  isSheetOpen,
  uiStore,
  openSheet,
  withOpenSheet,
  type UiState,
} from "../../../web/features/ui-state/ui-store.ts";

const CLOSED: UiState = {
  supportSheetOpen: false,
  filtersSheetOpen: false,
  mobileSheetOpen: false,
  theme: "system",
};

it("has one sheet open at most", () => {
  const menu = withOpenSheet(CLOSED, "menu");
  expect(menu).toEqual({ ...CLOSED, mobileSheetOpen: true });
  expect(withOpenSheet(menu, "support")).toEqual({ ...CLOSED, supportSheetOpen: true });
  expect(withOpenSheet(menu, null)).toEqual(CLOSED);
  expect(withOpenSheet(menu, "menu")).toBe(menu);
});

it("closes a sheet without closing what was opened in its place", () => {
  openSheet("menu");
  openSheet("support");
  closeSheet("menu");
  expect(uiStore.get()).toEqual({ ...CLOSED, supportSheetOpen: true });
  closeSheet("support");
  expect(uiStore.get()).toEqual(CLOSED);
});

it("closes each of its sheets by its own name", () => {
  for (const sheet of ["menu", "support", "filters"] as const) {
    openSheet(sheet);
    expect(isSheetOpen(uiStore.get(), sheet)).toBe(true);
    closeSheet(sheet);
    expect(uiStore.get()).toEqual(CLOSED);
  }
});
