import { createStore } from "@tanstack/react-store";

/** The link that was opened, in memory only. Outlives a change of language, which remounts the screen. */
type UndoState = {
  token: string | null;
  /** Whether the page has taken on the language of the text. */
  hasLanguage: boolean;
  isDone: boolean;
};

export const undoStore = createStore<UndoState>({ token: null, hasLanguage: false, isDone: false });

const TOKEN = /^[\w-]{22}$/;

/** Takes the token of a link. */
export function openUndoLink(token: string): void {
  undoStore.setState(() => ({ token: TOKEN.test(token) ? token : null, hasLanguage: false, isDone: false }));
}

export function updateUndo(change: Partial<UndoState>): void {
  undoStore.setState((state) => ({ ...state, ...change }));
}
