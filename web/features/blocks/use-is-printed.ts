import { useSyncExternalStore } from "react";

let isPrinting = false;

/**
 * Whether the page is being printed. By the event, which comes before a browser counts the pages: the change of a media query
 * comes after that, and what it adds is cut off.
 */
export function useIsPrinted(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isPrinting,
    () => false,
  );
}

function subscribe(onChange: () => void): () => void {
  const note = ({ type }: Event) => {
    isPrinting = type === "beforeprint";
    onChange();
  };
  addEventListener("beforeprint", note);
  addEventListener("afterprint", note);
  return () => {
    removeEventListener("beforeprint", note);
    removeEventListener("afterprint", note);
  };
}
