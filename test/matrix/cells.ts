import { LANGUAGES, type Language } from "../../db/shapes/language.ts";
import { isSheetThere, SHEET_SCREENS, type SheetName } from "./sheets.ts";

export const WIDTHS = [320, 375, 390, 768, 1_440, 1_920] as const;
export const TEXT_SIZES = [100, 200] as const;
export const THEMES = ["light", "dark"] as const;

/**
 * The viewer: a visitor, a driver who has just registered, one who is on, with blocks of today, or one whose selfie the
 * platform wants.
 */
export type Viewer = "visitor" | "newcomer" | "driver" | "verifying";

type Screen = { path: string; viewer: Viewer; sheet?: SheetName };

export const SCREENS: readonly Screen[] = [
  ...[
    "/",
    "/login",
    "/register",
    "/forgot-password",
    "/faqs",
    "/terms",
    "/contact",
    "/health",
    "/raffle/nowhere",
    "/nowhere",
  ].map((path) => ({ path, viewer: "visitor" as const })),
  // With nothing in them yet.
  ...[
    "/flex/login",
    "/flex/dashboard",
    "/flex/blocks?type=won",
    "/flex/blocks?type=disliked",
    "/flex/blocks?type=lost",
    "/flex/blocks?type=upcoming",
    "/flex/filters",
    "/flex/hours",
    "/flex/payments",
    "/flex/rewards",
    "/flex/invitations",
    "/flex/profile",
    "/flex/checks",
    "/flex/week",
  ].map((path) => ({ path, viewer: "newcomer" as const })),
  ...[
    "/flex/dashboard",
    "/flex/blocks?type=won",
    "/flex/blocks?type=disliked",
    "/flex/blocks?type=lost",
    "/flex/blocks?type=upcoming",
    "/flex/filters",
    "/flex/hours",
    "/flex/payments",
    "/flex/receipts/{payment}",
    "/flex/rewards",
    "/flex/invitations",
    "/flex/profile",
    "/flex/checks",
    "/flex/week",
    "/flex/login",
    "/flex/nowhere",
    "/contact",
    "/raffle/nowhere",
    "/arrived",
  ].map((path) => ({ path, viewer: "driver" as const })),
  ...SHEET_SCREENS,
];

/** A screen as it is loaded; one load checks both themes. */
export type Cell = Screen & {
  language: Language;
  width: (typeof WIDTHS)[number];
  text: (typeof TEXT_SIZES)[number];
};

/** Every screen and sheet in every language, width and text size. */
export function allCells(): Cell[] {
  return LANGUAGES.flatMap((language) =>
    SCREENS.flatMap((screen) =>
      WIDTHS.flatMap((width) => TEXT_SIZES.map((text) => ({ ...screen, language, width, text }))),
    ),
  ).filter((cell) => !cell.sheet || isSheetThere(cell.sheet, cell));
}

/** The first cell of each screen and sheet in each width. */
export function onceEach(cells: readonly Cell[]): Cell[] {
  const whatOf = ({ path, viewer, sheet, width }: Cell) => JSON.stringify([path, viewer, sheet, width]);
  return [...new Map(cells.toReversed().map((cell) => [whatOf(cell), cell])).values()].toReversed();
}

export function nameOf({ path, viewer, sheet, language, width, text }: Cell): string {
  const where = sheet ? `${path} with ${sheet}` : path;
  return `${where} (${viewer}, ${language}, ${width} px, ${text} %)`;
}
