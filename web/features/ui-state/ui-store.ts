import { createStore } from "@tanstack/react-store";
import { saveTheme, loadTheme, type Theme } from "./theme.ts";

/** The shell's state: its sheets, of which at most one is open, and the theme. */
export type UiState = {
  supportSheetOpen: boolean;
  filtersSheetOpen: boolean;
  mobileSheetOpen: boolean;
  theme: Theme;
};

export type AppSheet = "menu" | "support" | "filters";

export const uiStore = createStore<UiState>({
  supportSheetOpen: false,
  filtersSheetOpen: false,
  mobileSheetOpen: false,
  theme: loadTheme(),
});

/** Opens one of the shell's sheets and closes the others; null closes all. */
export function openSheet(sheet: AppSheet | null): void {
  uiStore.setState((state) => withOpenSheet(state, sheet));
}

/** Closes a sheet, unless another one has been opened in its place. */
export function closeSheet(sheet: AppSheet): void {
  uiStore.setState((state) => (isSheetOpen(state, sheet) ? withOpenSheet(state, null) : state));
}

export function isSheetOpen(state: UiState, sheet: AppSheet): boolean {
  if (sheet === "support") return state.supportSheetOpen;
  return sheet === "filters" ? state.filtersSheetOpen : state.mobileSheetOpen;
}

/** The state with one sheet open, or none. Returns the same state where nothing changes. */
export function withOpenSheet(state: UiState, sheet: AppSheet | null): UiState {
  const supportSheetOpen = sheet === "support";
  const filtersSheetOpen = sheet === "filters";
  const mobileSheetOpen = sheet === "menu";
  const isSame =
    state.supportSheetOpen === supportSheetOpen &&
    state.filtersSheetOpen === filtersSheetOpen &&
    state.mobileSheetOpen === mobileSheetOpen;
  return isSame ? state : { ...state, supportSheetOpen, filtersSheetOpen, mobileSheetOpen };
}

export function chooseTheme(theme: Theme): void {
  saveTheme(theme);
  uiStore.setState((state) => ({ ...state, theme }));
}
