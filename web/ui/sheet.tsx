import { X } from "lucide-react";
import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type SyntheticEvent,
} from "react";
import { m } from "../messages/messages.js";
import { focusHeading } from "./focus-heading.ts";
import { closeOnBack, leaveStaleEntry } from "./sheet-history.ts";

/** `foot`: at the bottom on a desk too, where `bottom` is in the middle. */
type Edge = "top" | "bottom" | "foot" | "middle";

const EDGE_CLASSES = {
  top: "mt-0 mb-auto w-full max-w-none rounded-b-card pr-[env(safe-area-inset-right)] pl-[env(safe-area-inset-left)] animate-[drop_180ms_ease-out] lg:mx-auto lg:max-w-md",
  bottom:
    "mt-auto mb-0 w-full max-w-none rounded-t-card animate-[rise_180ms_ease-out] sm:m-auto sm:max-w-lg sm:rounded-card",
  foot: "mx-auto mt-auto mb-0 w-full max-w-none rounded-t-card animate-[rise_180ms_ease-out] sm:max-w-lg",
  middle: "m-auto w-[calc(100%-16px)] max-w-md rounded-card animate-[rise_160ms_ease-out]",
} satisfies Record<Edge, string>;

/**
 * A panel over the page. It is the browser's own modal dialog, which traps the focus, closes on Escape and gives the focus
 * back to what opened it; where that is gone by then, the heading gets it. Back closes it too.
 */
export function Sheet({
  open,
  onClose,
  edge = "bottom",
  title,
  children,
  role,
}: {
  open: boolean;
  onClose: () => void;
  edge?: Edge;
  title: string;
  children: ReactNode;
  role?: "alertdialog";
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const opener = useRef<Element>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (open && element && !element.open) {
      opener.current = document.activeElement;
      element.showModal();
    }
    if (!open && element?.open) {
      element.close();
      if (!opener.current?.isConnected) focusHeading();
    }
  }, [open]);
  useEffect(leaveStaleEntry, []);
  const onBack = useEffectEvent(onClose);
  useEffect(() => (open ? closeOnBack(() => onBack()) : undefined), [open]);
  // A text that is marked with the pointer may be let go of beside the sheet, which is a click on the backdrop, too.
  const isPressedOnBackdrop = useRef(false);
  const notePress = (event: PointerEvent) => {
    isPressedOnBackdrop.current = event.target === dialog.current;
  };
  const closeOnBackdrop = (event: MouseEvent) => {
    if (event.target === dialog.current && isPressedOnBackdrop.current) onClose();
  };
  // Escape is heard at once: before the browser says that it closed the dialog, a key may have opened it again. A file's
  // picker that is left says `cancel` too.
  const closeOnEscape = (event: SyntheticEvent) => {
    if (event.target === dialog.current) onClose();
  };
  const closeAsTheBrowserDid = () => {
    if (open && !dialog.current?.open) onClose();
  };
  return (
    // The click is for the backdrop; the keyboard has Escape.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={titleId}
      onCancel={closeOnEscape}
      onClose={closeAsTheBrowserDid}
      onPointerDown={notePress}
      onClick={closeOnBackdrop}
      className={`max-h-[90dvh] overflow-y-auto overscroll-contain border border-line bg-raised p-0 text-ink ${EDGE_CLASSES[edge]}`}
    >
      {open && (
        <div className="p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))]">
          <div className="mb-3 flow-root">
            {/* A long word of the heading goes below it, where it has the whole line. */}
            <button
              type="button"
              aria-label={m.close()}
              onClick={onClose}
              className="float-right -mt-1 -mr-2 ml-2 grid size-11 place-items-center rounded-field text-soft hover:bg-sunken"
            >
              <X aria-hidden className="size-5" />
            </button>
            <h2 id={titleId} className="pt-1.5 text-[length:min(var(--step-2),10.8vw)]">
              {title}
            </h2>
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}
