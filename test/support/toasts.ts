import { toasterReady } from "../../web/ui/toast.ts";

/** A toast as a driver sees it, with what its button does. */
export type ShownToast = { text: string; button?: string; press?: () => void };

let shown: ShownToast[] = [];

type Library = Parameters<typeof toasterReady>[0];
const library = (text: string, { action }: { action?: { label: string; onClick: () => void } } = {}) => {
  shown.push(action ? { text, button: action.label, press: action.onClick } : { text });
};

// Before any part is shown: toasts of tests that don't look at them would wait for it, and come out in a later test.
toasterReady(Object.assign(library, { success: library, error: library }) as unknown as Library);

/** Toasts from here on, instead of those of a page. */
export function watchToasts(): () => ShownToast[] {
  shown = [];
  return () => shown;
}
