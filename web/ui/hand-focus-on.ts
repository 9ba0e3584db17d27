import { focusHeading } from "./focus-heading.ts";

/** The ref of a part that goes at a press: a part that goes with the keyboard's focus hands it on to the heading. */
export function handFocusOn(part: HTMLElement | null): () => void {
  return () => {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement) || !part?.contains(focused)) return;
    // A field that goes along can't keep the focus.
    focused.blur();
    focusHeading();
  };
}
