import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { toast } from "sonner";
import { afterEach, expect, it, vi } from "vitest";
import { driverId } from "../../../db/shapes/units.ts";
import type { CitiesResponse } from "../../../worker/contract/console/operator-deployment.ts";
import { citiesQuery } from "../../../web/console/calls/deployment.ts";
import { CitiesScreen } from "../../../web/console/prices/cities-screen.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { DONE, OWNER, SUPPORT } from "../../support/console-part.ts";
import { rowsOf } from "../../support/html-text.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork } from "../../support/scripted-network.ts";

afterEach(() => void vi.restoreAllMocks());

const next = { id: driverId.parse("driver-1"), name: "Ana", since: NOON };
const CITIES: CitiesResponse = {
  cities: [
    { city: "Austin", spots: 1_200, taken: 1_198, waiting: 5, next },
    { city: "Boston", spots: null, taken: 3, waiting: 0, next: null },
  ],
};
const ACT = "POST /ops/v1/acts";
const CHANGE = "Change the number";
const WHOLE = "Enter a whole number, or nothing.";
const REASON = "Say why, in three letters at least.";

async function openCities(operator = OWNER) {
  const network = scriptNetwork();
  network.answer({ "GET /ops/v1/cities": { body: CITIES } });
  const done = vi.spyOn(toast, "success");
  const answered: [readonly unknown[], unknown][] = [[citiesQuery.queryKey, CITIES]];
  const part = await renderPart(createElement(CitiesScreen), { answered, operator });
  const sheet = () => within(screen.getByRole("dialog"));
  return {
    ...network,
    ...part,
    done,
    sheet,
    /** Opens the form of one of the cities. */
    change: async (row: number) => {
      const buttons = screen.getAllByRole("button", { name: CHANGE });
      await part.user.click(buttons[row] ?? document.body);
    },
    spots: () => sheet().getByLabelText<HTMLInputElement>("Spots"),
    reason: () => sheet().getByLabelText<HTMLInputElement>("Why"),
    texts: () => sheet().queryByRole("status")?.textContent,
    send: () => part.user.click(sheet().getByRole("button", { name: CHANGE })),
    sent: () => network.calls.filter(({ operation }) => operation === ACT).map(({ body }) => body),
  };
}

it("shows each city's spots and line to everybody, and lets owners alone change them", async () => {
  const rows = [
    ["City", "Spots", "Taken", "Waiting", "Next in line"],
    ["Austin", "1,200", "1,198", "5", "Ana"],
    ["Boston", "No limit", "3", "0", ""],
  ];
  const support = await openCities(SUPPORT);
  expect(rowsOf(support.html(), "Cities")).toEqual(rows);
  expect(screen.queryByRole("button", { name: CHANGE })).toBeNull();
  expect(screen.getByRole("link").getAttribute("href")).toContain("driver-1");
});

it("says how many texts a number of spots sends at once, before it is changed", async () => {
  const { user, change, spots, texts } = await openCities();
  await change(0);
  expect([spots().value, texts()]).toEqual(["1200", "Texts that go out at once: 2"]);
  await user.clear(spots());
  expect(texts()).toBe("Texts that go out at once: 5");
  await user.type(spots(), "1199");
  expect(texts()).toBe("Texts that go out at once: 1");
  await user.clear(spots());
  await user.type(spots(), "9");
  expect(texts()).toBe("Texts that go out at once: 0");
  await user.type(spots(), "999");
  expect(texts()).toBe("Texts that go out at once: 5");
  await user.type(spots(), "x");
  expect(texts()).toBeUndefined();
});

it("changes the number of the city that was opened, asks for all of them anew, and closes", async () => {
  const { answer, user, change, spots, reason, send, sent, done, count } = await openCities();
  answer({ [ACT]: { body: DONE } });
  await change(1);
  expect(screen.getByRole("dialog", { name: "Boston" })).toBeTruthy();
  await user.type(spots(), "40");
  await user.type(reason(), "A trial");
  await send();
  await expect.poll(() => done.mock.calls).toEqual([["Done"]]);
  expect(sent()).toEqual([{ act: "city_spots", city: "Boston", spots: 40, reason: "A trial" }]);
  await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  await expect.poll(() => count("GET /ops/v1/cities")).toBe(1);
});

it("takes a limit away where the field is empty", async () => {
  const { answer, user, change, spots, reason, send, sent } = await openCities();
  answer({ [ACT]: { body: DONE } });
  await change(0);
  await user.clear(spots());
  await user.type(reason(), "No line");
  await send();
  await expect.poll(sent).toEqual([{ act: "city_spots", city: "Austin", spots: null, reason: "No line" }]);
});

it("says at each field what is wrong with it, and of the whole why it was refused", async () => {
  const { answer, user, change, spots, reason, send, sent, sheet } = await openCities();
  answer({ [ACT]: refusalReply("conflict") });
  await change(0);
  await user.type(spots(), "x");
  await send();
  expect(await sheet().findByText(WHOLE)).toBeTruthy();
  expect([sheet().queryByText(REASON) !== null, sent()]).toEqual([true, []]);
  await user.type(spots(), "{Backspace}");
  expect(sheet().queryByText(WHOLE)).toBeNull();
  await user.type(reason(), "A trial");
  await send();
  expect((await sheet().findByRole("alert")).textContent).toContain("This can't be done");
  expect([spots().value, reason().value]).toEqual(["1200", "A trial"]);
});

it("changes nothing where the form is left", async () => {
  const { user, change, sheet, sent } = await openCities();
  for (const name of ["Cancel", "Close"]) {
    await change(0);
    await user.click(sheet().getByRole("button", { name }));
    await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  }
  expect(sent()).toEqual([]);
});

it("changes a city's spots under a key of its own where those of another are under way", async () => {
  const { answer, user, change, reason, send, sent, sheet, calls } = await openCities();
  const arrival = Promise.withResolvers<void>();
  answer({ [ACT]: { body: DONE, after: arrival.promise } });
  for (const row of [0, 1]) {
    await change(row);
    await user.type(reason(), "As agreed");
    await send();
    await expect.poll(sent).toHaveLength(row + 1);
    await user.click(sheet().getByRole("button", { name: "Close" }));
  }
  const keys = calls
    .filter(({ operation }) => operation === ACT)
    .map(({ headers }) => headers.get("idempotency-key"));
  expect(new Set(keys).size).toBe(2);
  arrival.resolve();
});
