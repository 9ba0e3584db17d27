import { createStore } from "@tanstack/react-store";
import { keepTheme, readTheme, type Theme } from "../theme/theme.ts";

/** What the frame remembers: its sheets, of which one at most is open, and the theme. */
export type UiState = {
  supportSheetOpen: boolean;
  filtersSheetOpen: boolean;
  mobileSheetOpen: boolean;
  theme: Theme;
};

export type FrameSheet = "menu" | "support" | "filters";

export const frameStore = createStore<UiState>({
  supportSheetOpen: false,
  filtersSheetOpen: false,
  mobileSheetOpen: false,
  theme: readTheme(),
});

/** Opens one of the frame's sheets and closes the others; null closes all. */
export function openSheet(sheet: FrameSheet | null): void {
  frameStore.setState((state) => showSheet(state, sheet));
}

/** Closes one of them, and leaves alone what may have been opened in its place. */
export function closeSheet(sheet: FrameSheet): void {
  frameStore.setState((state) => (isOpen(state, sheet) ? showSheet(state, null) : state));
}

export function isOpen(state: UiState, sheet: FrameSheet): boolean {
  if (sheet === "support") return state.supportSheetOpen;
  return sheet === "filters" ? state.filtersSheetOpen : state.mobileSheetOpen;
}

/** The state with one sheet open, or none; the same one where nothing changes. */
export function showSheet(state: UiState, sheet: FrameSheet | null): UiState {
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
  keepTheme(theme);
  frameStore.setState((state) => ({ ...state, theme }));
}
