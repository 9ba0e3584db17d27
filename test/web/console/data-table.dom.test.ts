import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { expect, it } from "vitest";
import { DataTable, type Column } from "../../../web/console/tables/data-table.tsx";
import { renderPart } from "../../support/rendered-part.ts";

type City = { name: string };
const CITIES: City[] = [{ name: "Austin" }, { name: "Boston" }, { name: "Chicago" }];
const COLUMNS: Column<City>[] = [
  { id: "city", title: "City", renderCell: ({ name }) => createElement("a", { href: `/${name}` }, name) },
];

async function openTable(rows = CITIES) {
  const table = createElement(DataTable<City>, {
    label: "Cities",
    columns: COLUMNS,
    rows,
    rowKey: ({ name }) => name,
    empty: "No cities",
  });
  const part = await renderPart(table);
  return { ...part, focused: () => document.activeElement?.textContent };
}

it("is walked by the arrow keys and by Home and End, and left by neither", async () => {
  const { user, focused } = await openTable();
  await user.tab();
  const walked = [focused()];
  for (const key of ["ArrowUp", "ArrowDown", "ArrowDown", "ArrowDown", "Home", "End", "ArrowUp"]) {
    await user.keyboard(`{${key}}`);
    walked.push(focused());
  }
  expect(walked).toEqual(["Austin", "Austin", "Boston", "Chicago", "Chicago", "Austin", "Chicago", "Boston"]);
});

it("scrolls nothing with the keys that walk it, and leaves all others to the browser", async () => {
  const { user } = await openTable();
  const stopped: string[] = [];
  const listen = (event: KeyboardEvent) => event.defaultPrevented && stopped.push(event.key);
  document.body.addEventListener("keydown", listen);
  await user.tab();
  await user.keyboard("{ArrowUp}{ArrowDown}{PageDown}a{End}{ArrowDown}{Home}");
  document.body.removeEventListener("keydown", listen);
  expect(stopped).toEqual(["ArrowDown", "End", "Home"]);
});

it("has one row in the order of Tab, the one that had the focus last, and its content after it", async () => {
  const { user, focused } = await openTable();
  const rows = () =>
    within(screen.getByRole("table", { name: "Cities" }))
      .getAllByRole<HTMLTableRowElement>("row")
      .slice(1);
  const inOrder = () => rows().map(({ tabIndex }) => tabIndex);
  expect(inOrder()).toEqual([0, -1, -1]);
  await user.tab();
  await user.keyboard("{ArrowDown}");
  expect(inOrder()).toEqual([-1, 0, -1]);
  await user.tab();
  expect([focused(), document.activeElement?.tagName]).toEqual(["Boston", "A"]);
  await user.click(screen.getByRole("link", { name: "Chicago" }));
  expect(inOrder()).toEqual([-1, -1, 0]);
});

it("says in its place that there is nothing in it", async () => {
  const { html } = await openTable([]);
  expect([html().includes("No cities"), screen.queryByRole("table")]).toEqual([true, null]);
});
