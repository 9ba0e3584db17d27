import { screen } from "@testing-library/react";
import { createElement, useState } from "react";
import { expect, it } from "vitest";
import { daysUpTo, type Days } from "../../../web/console/money/money-days.ts";
import { MoneySpan } from "../../../web/console/money/money-span.tsx";
import { renderPart } from "../../support/rendered-part.ts";

const TODAY = "2026-06-10";
const OTHER = "Other dates";
const WRONG = "Choose two days in order, a year apart at most.";

/** The choice on its screen, which takes over the days that were chosen. */
async function openSpan(days: Days = daysUpTo(TODAY, 30)) {
  const chosen: Days[] = [];
  const Screen = () => {
    const [shown, setShown] = useState(days);
    const onChange = (next: Days) => {
      chosen.push(next);
      setShown(next);
    };
    return createElement(MoneySpan, { days: shown, today: TODAY, onChange });
  };
  const part = await renderPart(createElement(Screen));
  return {
    ...part,
    chosen,
    press: (name: string) => part.user.click(screen.getByRole("button", { name })),
    pressed: () =>
      screen
        .getAllByRole("button")
        .filter((button) => button.getAttribute("aria-pressed") === "true")
        .map(({ textContent }) => textContent),
    field: (name: "First day" | "Last day") => screen.queryByLabelText<HTMLInputElement>(name),
    type: async (name: "First day" | "Last day", day: string) => {
      const field = screen.getByLabelText(name);
      await part.user.clear(field);
      if (day !== "") await part.user.type(field, day);
    },
  };
}

it("marks the span that is shown, and takes another", async () => {
  const { press, pressed, chosen, field } = await openSpan();
  expect([pressed(), field("First day")]).toEqual([["30 days"], null]);
  await press("Today");
  await press("7 days");
  expect(pressed()).toEqual(["7 days"]);
  await press("90 days");
  expect(chosen).toEqual([
    { from: TODAY, to: TODAY },
    { from: "2026-06-04", to: TODAY },
    { from: "2026-03-13", to: TODAY },
  ]);
});

it("shows the two days of another span, and takes others once they are in order", async () => {
  const { pressed, chosen, field, type } = await openSpan({ from: "2026-05-01", to: "2026-05-07" });
  expect([pressed(), field("First day")?.value, field("Last day")?.value]).toEqual([
    [OTHER],
    "2026-05-01",
    "2026-05-07",
  ]);
  await type("First day", "2026-05-09");
  expect(screen.getByText(WRONG)).toBeTruthy();
  expect(chosen).not.toContainEqual({ from: "2026-05-09", to: "2026-05-07" });
  await type("Last day", "2026-05-20");
  expect(chosen.at(-1)).toEqual({ from: "2026-05-09", to: "2026-05-20" });
  expect(screen.queryByText(WRONG)).toBeNull();
  await type("First day", "2024-05-09");
  expect(screen.getByText(WRONG)).toBeTruthy();
  expect(chosen.at(-1)).toEqual({ from: "2026-05-09", to: "2026-05-20" });
});

it("begins with the days of the span before, and goes back to one", async () => {
  const { press, pressed, chosen, field } = await openSpan();
  await press("7 days");
  await press(OTHER);
  expect([pressed(), field("First day")?.value]).toEqual([[OTHER], "2026-06-04"]);
  await press("30 days");
  expect([pressed(), field("First day"), chosen.length]).toEqual([["30 days"], null, 2]);
});
