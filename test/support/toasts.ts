import { toasterReady } from "../../web/ui/toast.ts";

/** A toast as a driver sees it, with what its button does. */
export type ShownToast = { text: string; button?: string; press?: () => void };

let shown: ShownToast[] = [];

type Library = Parameters<typeof toasterReady>[0];
const library = (text: string, { action }: { action?: { label: string; onClick: () => void } } = {}) => {
  shown.push(action ? { text, button: action.label, press: action.onClick } : { text });
};

/** Toasts from here on, instead of those of a page. */
export function watchToasts(): () => ShownToast[] {
  shown = [];
  toasterReady(Object.assign(library, { success: library, error: library }) as unknown as Library);
  return () => shown;
}
