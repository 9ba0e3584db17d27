import "sonner/dist/styles.css";
import { useEffect } from "react";
import { toast, Toaster as Sonner } from "sonner";
import { toasterReady } from "./toast.ts";

/** Renders the toasts. */
export function Toaster() {
  // The library drops what is shown before this.
  useEffect(() => toasterReady(toast), []);
  return (
    <Sonner
      position="top-center"
      className="[font-family:inherit]!"
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-full items-center gap-3 rounded-card border border-line bg-raised px-4 py-3 text-base font-semibold text-ink shadow-lg",
          success: "!border-transparent !bg-signal !text-on-signal",
          error: "!border-bad",
          actionButton:
            "ml-auto inline-flex min-h-11 shrink-0 items-center rounded-field px-2 underline underline-offset-4",
        },
      }}
    />
  );
}
