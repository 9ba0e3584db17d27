import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

/**
 * After a navigation by keyboard the new screen's heading has the focus: a screen reader reads where one is, and the next Tab
 * goes on from there. A screen that puts it into a field of its own keeps it.
 */
export function useFocusHeading(): void {
  const router = useRouter();
  useEffect(() => {
    let isByKeyboard = false;
    const onKey = () => {
      isByKeyboard = true;
    };
    const onPointer = () => {
      isByKeyboard = false;
    };
    document.addEventListener("keydown", onKey, { capture: true });
    document.addEventListener("pointerdown", onPointer, { capture: true });
    const unsubscribe = router.subscribe("onRendered", ({ pathChanged, fromLocation }) => {
      if (isByKeyboard && pathChanged && fromLocation) focusHeading();
    });
    return () => {
      unsubscribe();
      document.removeEventListener("keydown", onKey, { capture: true });
      document.removeEventListener("pointerdown", onPointer, { capture: true });
    };
  }, [router]);
}

function focusHeading(): void {
  const content = document.getElementById("content");
  if (!content || content.contains(document.activeElement?.closest("input, textarea, select") ?? null))
    return;
  const heading = content.querySelector("h1");
  if (!heading) return content.focus({ preventScroll: true });
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
