import { act, screen } from "@testing-library/react";
import { createElement, Fragment } from "react";
import { beforeAll, expect, it } from "vitest";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { promptForUpdate } from "../../../web/page/app-lifecycle.tsx";
import { renderPart } from "../../support/rendered-part.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));

it("offers a new version in the page's language, also after that has changed", async () => {
  const toasts = watchToasts();
  promptForUpdate({} as ServiceWorker);
  await expect.poll(toasts).toHaveLength(1);
  await renderPart(createElement(Fragment, null, toasts()[0]?.text));
  expect(screen.getByText("A new version is ready")).toBeTruthy();
  act(() => changeLocale("es"));
  expect(screen.getByText("Hay una versión nueva")).toBeTruthy();
});
