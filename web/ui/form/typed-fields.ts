import { useLayoutEffect, type RefObject } from "react";

/** Takes over what was typed into a part of a page while its code was on the way, before the fields are rendered anew. */
export function useTypedFields(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    for (const field of part.current?.querySelectorAll("input") ?? []) {
      if (field.checked !== field.defaultChecked) enterChecked(field);
      else if (field.value !== field.defaultValue) enterValue(field);
    }
  }, [part]);
}

/** Once the part hears of it, and after a click that has just brought it to life. */
function enterChecked(field: HTMLInputElement): void {
  const isChecked = field.checked;
  setTimeout(() => {
    field.checked = !isChecked;
    field.click();
  });
}

/**
 * Once the part hears of it; the caret stays where it was. React compares with what it last knew of the field, which is
 * set first; its own setter would tell it of the value.
 */
function enterValue(field: HTMLInputElement): void {
  const { selectionEnd, selectionStart, value } = field;
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
  queueMicrotask(() => {
    field.value = "";
    set?.call(field, value);
    if (field === document.activeElement && selectionStart !== null)
      field.setSelectionRange(selectionStart, selectionEnd);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
