import { act, fireEvent, screen } from "@testing-library/react";
import { createElement, useState } from "react";
import { beforeAll, expect, it } from "vitest";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { Sheet } from "../../../web/ui/sheet.tsx";
import { renderPart } from "../../support/rendered-part.ts";

beforeAll(() => changeLocale("en"));

/** A sheet with a button that opens it, and how often it was closed. */
async function openSheet() {
  let closings = 0;
  function Owner() {
    const [isOpen, setIsOpen] = useState(false);
    const close = () => {
      closings += 1;
      setIsOpen(false);
    };
    const children = createElement("input", { type: "file", "aria-label": "Picture" });
    const sheet = { open: isOpen, onClose: close, title: "Hours", children };
    return [
      createElement("button", { key: "button", type: "button", onClick: () => setIsOpen(true) }, "Open"),
      createElement(Sheet, { key: "sheet", ...sheet }),
    ];
  }
  const { user } = await renderPart(createElement(Owner));
  const open = () => user.click(screen.getByText("Open"));
  await open();
  const dialog = screen.getByRole<HTMLDialogElement>("dialog");
  const send = (name: string, to: Element = dialog) =>
    fireEvent(to, new Event(name, { bubbles: name === "cancel" }));
  return {
    open,
    dialog,
    send,
    isShown: () => [dialog.open, screen.queryByText("Hours") !== null],
    closings: () => closings,
  };
}

it("is closed by Escape at once, and stays open where it was opened again before the browser told of the first", async () => {
  const { open, send, isShown, closings } = await openSheet();
  send("cancel");
  expect([isShown(), closings()]).toEqual([[false, false], 1]);
  await open();
  send("close");
  expect([isShown(), closings()]).toEqual([[true, true], 1]);
});

it("is closed once where the browser closed it by itself", async () => {
  const { dialog, send, isShown, closings } = await openSheet();
  act(() => dialog.removeAttribute("open"));
  send("close");
  send("close");
  expect([isShown(), closings()]).toEqual([[false, false], 1]);
});

it("stays open where a file's picker is left", async () => {
  const { send, isShown, closings } = await openSheet();
  send("cancel", screen.getByLabelText("Picture"));
  expect([isShown(), closings()]).toEqual([[true, true], 0]);
});

it("is closed by a press on the backdrop, but not by one that began in the sheet", async () => {
  const { dialog, isShown, closings } = await openSheet();
  // As browsers do it: the click of such a drag goes to what holds both of its ends.
  fireEvent.pointerDown(screen.getByLabelText("Picture"));
  fireEvent.click(dialog);
  expect([isShown(), closings()]).toEqual([[true, true], 0]);
  fireEvent.pointerDown(dialog);
  fireEvent.click(dialog);
  expect([isShown(), closings()]).toEqual([[false, false], 1]);
});
