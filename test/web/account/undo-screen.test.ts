import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { UndoScreen } from "../../../web/features/account/undo-screen.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));

const textsOf = async (hash: string) =>
  textsIn(await htmlOfPart(createElement(UndoScreen, { hash }))).slice(1);

it("says that it has no link where it was opened without one", async () => {
  expect(await textsOf("")).toEqual([
    "This link has expired or was already used.",
    "If you can't sign in, reset your password or contact us.",
    "Forgot your password?",
    "Contact us",
  ]);
});

it("says nothing before it has read the link of its address", async () => {
  expect(await textsOf("a".repeat(22))).toEqual([]);
});
