import { readFileSync } from "node:fs";
import type { Page, Route } from "playwright-core";
import type { Language } from "../../db/shapes/language.ts";

type Step = (page: Page, text: (key: string) => string) => Promise<void>;
type SheetScreen = {
  path: string;
  viewer: "visitor" | "driver" | "verifying";
  open: Step;
  /** Unfolds in its screen, and is no sheet. */
  isPart?: boolean;
  /** Where there is a way to it; everywhere unless it says so. */
  isThere?: (cell: { width: number; text: number }) => boolean;
};

const press =
  (key: string): Step =>
  (page, text) =>
    page
      .getByRole("button", { name: text(key), exact: true })
      .locator("visible=true")
      .first()
      .click();
const pressFirst =
  (testId: string): Step =>
  (page) =>
    page.getByTestId(testId).locator("visible=true").first().click();

/** Answers as if another tab had saved first, with other minimums. */
async function saveElsewhereFirst(route: Route): Promise<void> {
  if (route.request().method() === "PUT")
    return route.fulfill({ status: 412, json: refusal("stale_version") });
  const response = await route.fetch();
  const { version, filters, ...rest }: SavedFilters = await response.json();
  const warehouses = filters.warehouses.map((rule) => ({ ...rule, minPriceCents: 12_300 }));
  return route.fulfill({ json: { ...rest, version: version + 1, filters: { ...filters, warehouses } } });
}

type SavedFilters = { version: number; filters: { warehouses: object[] } };

/** Answers a change as if the sign-in had been long ago. */
async function askForPassword(route: Route): Promise<void> {
  if (route.request().method() !== "PATCH") return route.fallback();
  return route.fulfill({ status: 403, json: refusal("sign_in_again") });
}

const refusal = (code: string) => ({ code, message: { en: code, es: code, pt: code }, requestId: "R" });

/** Where the driver has captured blocks. */
const WAREHOUSE = "Maspeth (DBK1)";

const editWarehouse: Step = (page, text) =>
  page
    .getByRole("button", { name: text("warehouse_edit").replace("{name}", WAREHOUSE), exact: true })
    .click();

/** A second rule with hours of its own that asks, and a third that changes nothing. */
const addRules: Step = async (page, text) => {
  await editWarehouse(page, text);
  await press("rule_add")(page, text);
  const rule = page.getByTestId("extra-rule").first();
  await page.keyboard.type("Sundays and holidays, evenings");
  await rule.getByRole("switch", { name: text("rule_hours_own") }).click();
  await rule.getByRole("radio", { name: text("rule_action_ask"), exact: true }).check();
  await press("rule_add")(page, text);
  await page
    .getByText(text("rule_covered").replace("{name}", text("rule_first")))
    .last()
    .waitFor();
  await rule.getByRole("button").first().click();
};

/** A minimum that drops what was captured. */
const openReplay: Step = async (page, text) => {
  await editWarehouse(page, text);
  await page.getByLabel(text("rule_min_price"), { exact: true }).first().fill("200");
  await page.getByTestId("open-replay").click();
  const sheet = page.locator("[data-testid=replay-sheet][aria-busy=false]");
  await sheet.getByTestId("offer-line").first().click();
  await sheet.getByTestId("replay-reasons").waitFor();
};

const DESK_PX = 1_024;

/** Else the header has its links; what has no room there depends on the size of the text. */
const hasMenu = ({ width, text }: { width: number; text: number }) => (width * 100) / text < DESK_PX;

/** Each sheet with the screen that it is opened over, and how. */
const SHEETS = {
  menu: { path: "/flex/dashboard", viewer: "driver", open: press("nav_menu"), isThere: hasMenu },
  "visitor's menu": { path: "/faqs", viewer: "visitor", open: press("nav_menu"), isThere: hasMenu },
  support: {
    path: "/flex/rewards",
    viewer: "driver",
    open: async (page, text) => {
      await press("nav_menu")(page, text);
      await page
        .getByRole("dialog")
        .getByRole("button", { name: text("nav_contact") })
        .click();
      await page.getByRole("heading", { name: text("support_title") }).waitFor();
    },
    isThere: hasMenu,
  },
  "turn off": { path: "/flex/dashboard", viewer: "driver", open: pressFirst("system-switch") },
  "days and minimums": {
    path: "/flex/dashboard",
    viewer: "driver",
    open: pressFirst("open-filters-sheet"),
    isThere: ({ width }) => width < DESK_PX,
  },
  block: { path: "/flex/dashboard", viewer: "driver", open: press("next_details") },
  arrived: { path: "/flex/dashboard", viewer: "driver", open: press("arrived_button") },
  why: { path: "/flex/blocks?type=disliked", viewer: "driver", open: pressFirst("offer-line") },
  receipt: {
    path: "/flex/payments",
    viewer: "driver",
    open: (page) => page.locator("section[aria-labelledby=pay-history] li button").first().click(),
  },
  redeem: {
    path: "/flex/rewards",
    viewer: "driver",
    open: (page) => page.getByTestId("reward-friend_invitation").getByRole("button").click(),
  },
  merge: {
    path: "/flex/filters",
    viewer: "driver",
    open: async (page, text) => {
      await page.route("**/flex/v1/filters", saveElsewhereFirst);
      await page.getByTestId("warehouse-card").getByRole("switch").last().click();
      await press("save_button")(page, text);
    },
  },
  limits: {
    path: "/flex/filters",
    viewer: "driver",
    open: async (page) => {
      await pressFirst("open-limits")(page, String);
      for (const limit of await page.getByTestId("limits-sheet").getByRole("switch").all())
        await limit.click();
    },
  },
  "day off": { path: "/flex/filters", viewer: "driver", open: pressFirst("open-dates") },
  "further rules": { path: "/flex/filters", viewer: "driver", open: addRules, isPart: true },
  replay: { path: "/flex/filters", viewer: "driver", open: openReplay },
  selfie: { path: "/flex/dashboard", viewer: "verifying", open: press("phase_verification_action") },
  "fresh sign-in": {
    path: "/flex/profile",
    viewer: "driver",
    open: async (page, text) => {
      await page.route("**/flex/v1/user", askForPassword);
      await page.getByLabel(text("account_name"), { exact: true }).fill("Ana Maria");
      await press("save_button")(page, text);
    },
  },
  unlink: { path: "/flex/profile", viewer: "driver", open: press("profile_unlink") },
  "delete account": {
    path: "/flex/profile",
    viewer: "driver",
    open: async (page, text) => {
      await page.getByText(text("profile_data"), { exact: true }).click();
      await press("profile_delete")(page, text);
    },
  },
} satisfies Record<string, SheetScreen>;

export type SheetName = keyof typeof SHEETS;

const isSheetName = (name: string): name is SheetName => name in SHEETS;

export const SHEET_SCREENS = Object.keys(SHEETS)
  .filter(isSheetName)
  .map((sheet) => ({ path: SHEETS[sheet].path, viewer: SHEETS[sheet].viewer, sheet }));

/** Whether a screen of this width, with text of this size in percent, has a way to the sheet. */
export function isSheetThere(sheet: SheetName, cell: { width: number; text: number }): boolean {
  const { isThere }: SheetScreen = SHEETS[sheet];
  return isThere?.(cell) ?? true;
}

/** Whether it opens over its screen, and not in it. */
export function isDialog(sheet: SheetName): boolean {
  const { isPart = false }: SheetScreen = SHEETS[sheet];
  return !isPart;
}

/** Opens a sheet over the screen that a page shows in this language. */
export async function openSheet(page: Page, sheet: SheetName, language: Language): Promise<void> {
  const words: Record<string, unknown> = JSON.parse(
    readFileSync(new URL(`../../locales/${language}.json`, import.meta.url), "utf8"),
  );
  await SHEETS[sheet].open(page, (key) => String(words[key]));
  if (!isDialog(sheet)) return;
  const opened = page.locator("dialog[open]").last();
  await opened.waitFor();
  // Its code may be on the way.
  await opened.locator("[data-skeleton]").first().waitFor({ state: "detached" });
}
