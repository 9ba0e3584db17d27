import { expect, it } from "vitest";
import { errorReport } from "../../worker/contract/error-report.ts";
import { PLANS, PLAN_PRICES } from "../../db/shapes/plans.ts";
import {
  closeSheet,
  uiStore,
  openSheet,
  withOpenSheet,
  type UiState,
} from "../../web/features/ui-state/ui-store.ts";
import { pickRandom, whatsappLink } from "../../web/features/support/whatsapp.ts";
import { toErrorReport } from "../../web/features/errors/report-error.ts";
import { breadcrumbOf, pageTitle } from "../../web/features/navigation/screen-titles.ts";

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

it.each([
  ["/", "Your filters. Your blocks. · Jornada", null],
  ["/flex/dashboard", "Home · Jornada", null],
  ["/flex/blocks", "My blocks · Jornada", "My blocks"],
  ["/flex/blocks/", "My blocks · Jornada", "My blocks"],
  ["/flex/filters", "Filters · Jornada", "Filters"],
  ["/flex/payments", "My payments · Jornada", "My payments"],
  ["/flex/profile", "My profile · Jornada", "My profile"],
  ["/flex/rewards", "Rewards · Jornada", "Rewards"],
  ["/flex/invitations", "Invitations · Jornada", "Invitations"],
  ["/demo/store", "Demo · Jornada", null],
  ["/flex/nowhere", "Page not found · Jornada", null],
])("calls %s by its name", (pathname, title, breadcrumb) => {
  expect({ title: pageTitle(pathname, "Jornada"), breadcrumb: breadcrumbOf(pathname) }).toEqual({
    title,
    breadcrumb,
  });
});

it("gives each support number its share of the rolls", () => {
  const numbers = ["a", "b", "c"];
  expect([0, 0.33, 0.34, 0.67, 0.999].map((roll) => pickRandom(numbers, roll))).toEqual([
    "a",
    "a",
    "b",
    "c",
    "c",
  ]);
  expect(pickRandom([], 0.5)).toBeUndefined();
  expect(whatsappLink("+1 (555) 010-0198")).toBe("https://wa.me/15550100198");
});

it("reports any error in the contract's shape, however long", () => {
  const long = new RangeError("x".repeat(5_000));
  long.stack = "y".repeat(50_000);
  expect(errorReport.parse(toErrorReport("error_page", long))).toEqual({
    caller: "error_page",
    name: "RangeError",
    message: "x".repeat(2_000),
    stack: "y".repeat(16_000),
  });
  expect(errorReport.parse(toErrorReport("error_page", "no error at all"))).toEqual({
    caller: "error_page",
    name: "string",
    message: "no error at all",
    stack: null,
  });
});

it("sells a day for less, the longer the plan", () => {
  const perDay = PLANS.slice(1).map((plan) => PLAN_PRICES[plan].cents / PLAN_PRICES[plan].days);
  expect(perDay).toEqual(perDay.toSorted((one, other) => other - one));
});
