import { screen } from "@testing-library/react";
import { createElement, Fragment } from "react";
import { beforeAll, expect, it } from "vitest";
import { LanguageMenu } from "../../../web/features/language/language-buttons.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { renderPart } from "../../support/rendered-part.ts";

beforeAll(() => changeLocale("en"));

it("closes as the focus leaves it, and not as it moves within", async () => {
  const after = createElement("button", { type: "button" }, "After");
  const { user } = await renderPart(createElement(Fragment, null, createElement(LanguageMenu), after));
  const menu = screen.getByTestId<HTMLDetailsElement>("language-menu");
  const [first, last] = [0, -1].map((place) => [...menu.querySelectorAll("button")].at(place));
  await user.click(screen.getByLabelText("Language: EN, English"));
  expect(menu.open).toBe(true);
  first?.focus();
  last?.focus();
  expect(menu.open).toBe(true);
  screen.getByText("After").focus();
  expect(menu.open).toBe(false);
});
