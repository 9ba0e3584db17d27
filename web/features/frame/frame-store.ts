import { createStore } from "@tanstack/react-store";

/** Which of the frame's sheets is open. */
export type OpenSheet = "menu" | "support" | "filters" | null;

export const frameStore = createStore<OpenSheet>(null);

export function openSheet(sheet: OpenSheet): void {
  frameStore.setState(() => sheet);
}
