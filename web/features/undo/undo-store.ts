import { createStore } from "@tanstack/react-store";

/** The link that was opened, in memory only. */
type UndoState = {
  token: string | null;
  isDone: boolean;
};

export const undoStore = createStore<UndoState>({ token: null, isDone: false });

const TOKEN = /^[\w-]{22}$/;

/** Takes the token of a link. */
export function openUndoLink(token: string): void {
  undoStore.setState(() => ({ token: TOKEN.test(token) ? token : null, isDone: false }));
}

export function updateUndo(change: Partial<UndoState>): void {
  undoStore.setState((state) => ({ ...state, ...change }));
}
