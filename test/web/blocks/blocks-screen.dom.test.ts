import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { BlocksScreen } from "../../../web/features/blocks/blocks-screen.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { renderPart } from "../../support/rendered-part.ts";

beforeAll(() => changeLocale("en"));

it("links each list to its own address", async () => {
  const EmptyList = () => BlocksScreen({ type: "upcoming", children: null });
  await renderPart(createElement(EmptyList));
  const tabs = within(screen.getByRole("navigation", { name: "My blocks" })).getAllByRole("link");
  expect(tabs.map((tab) => [tab.textContent, tab.getAttribute("href")])).toEqual([
    ["Upcoming", "/flex/blocks?type=upcoming"],
    ["Captured", "/flex/blocks?type=won"],
    ["Skipped", "/flex/blocks?type=disliked"],
    ["Missed", "/flex/blocks?type=lost"],
  ]);
});
