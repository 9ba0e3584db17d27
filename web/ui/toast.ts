import { createStore } from "@tanstack/react-store";
import type { toast as Toast } from "sonner";

/** Whether there has been anything to show, for which the toasts' library is loaded. */
export const toasterStore = createStore(false);

let bringLibrary: (library: typeof Toast) => void;
const library = new Promise<typeof Toast>((resolve) => {
  bringLibrary = resolve;
});

/** Called by the toaster once it can show something. */
export function toasterReady(loaded: typeof Toast): void {
  bringLibrary(loaded);
}

/** Shows a toast. Until the first one, the page does without the library. */
export function toast(...message: Parameters<typeof Toast>): void {
  show((library) => library(...message));
}

toast.success = (...message: Parameters<typeof Toast.success>): void => {
  show((library) => library.success(...message));
};

toast.error = (...message: Parameters<typeof Toast.error>): void => {
  show((library) => library.error(...message));
};

function show(call: (library: typeof Toast) => unknown): void {
  toasterStore.setState(() => true);
  void library.then(call);
}
