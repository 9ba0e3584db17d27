import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { toast } from "sonner";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import { pricesQuery } from "../../../web/console/calls/deployment.ts";
import { toLocalTime } from "../../../web/console/forms/deployment-forms.ts";
import { PricesScreen } from "../../../web/console/prices/prices-screen.tsx";
import type { PricesResponse } from "../../../worker/contract/console/operator-deployment.ts";
import { NOON } from "../../engine/fixtures.ts";
import { DONE, OWNER, SUPPORT } from "../../support/console-part.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork } from "../../support/scripted-network.ts";

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const ACT = "POST /ops/v1/acts";
const LIST = "GET /ops/v1/prices";
const [MAKE, PRICE] = ["Make a sale", "Price (USD)"];
const PRICES: PricesResponse = {
  prices: [
    { plan: "7days", priceCents: 5_499 },
    { plan: "14days", priceCents: 8_999 },
  ],
  ahead: [],
  sales: [{ id: "sale-1", plan: "7days", priceCents: 4_499, startsAt: NOON, endsAt: NOON + HOUR_MS }],
};

async function openPrices(operator = OWNER) {
  const network = scriptNetwork();
  network.answer({ [LIST]: { body: PRICES } });
  const done = vi.spyOn(toast, "success");
  const answered: [readonly unknown[], unknown][] = [[pricesQuery.queryKey, PRICES]];
  const part = await renderPart(createElement(PricesScreen), { answered, operator });
  const sheet = () => within(screen.getByRole("dialog"));
  const field = (name: string) => sheet().getByLabelText<HTMLInputElement>(name);
  return {
    ...network,
    ...part,
    done,
    sheet,
    field,
    open: (name: string) => part.user.click(screen.getByRole("button", { name })),
    press: (name: string) => part.user.click(sheet().getByRole("button", { name })),
    write: (name: string, text: string) => part.user.type(field(name), text),
    noteOf: (name: string) => field(name).parentElement?.querySelector("p")?.textContent,
    preview: () => sheet().queryByRole("status")?.textContent,
    sent: () => network.calls.filter(({ operation }) => operation === ACT).map(({ body }) => body),
  };
}

it("makes a sale for a week from now on, shown as drivers will see it, and asks for the list anew", async () => {
  const { answer, user, open, write, field, press, preview, sent, done, count } = await openPrices();
  answer({ [ACT]: { body: DONE } });
  await open(MAKE);
  expect(screen.getByRole("dialog", { name: MAKE })).toBeTruthy();
  expect(preview()).toBeUndefined();
  await user.selectOptions(field("Plan"), "7 days");
  await write(PRICE, "44.9");
  expect(preview()).toMatch(/^7 days: \$54\.99 → \$44\.90, .+ to .+$/u);
  await write("Why", "A slow week");
  const asked = count(LIST);
  await press(MAKE);
  await expect.poll(() => done.mock.calls).toEqual([["Done"]]);
  const span = { startsAt: NOON, endsAt: NOON + 7 * DAY_MS };
  expect(sent()).toEqual([{ act: "sale", plan: "7days", priceCents: 4_490, ...span, reason: "A slow week" }]);
  await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  await expect.poll(() => count(LIST)).toBe(asked + 1);
});

it("sends no sale that isn't finished, and says at each field what is wrong with it", async () => {
  const { user, open, press, noteOf, field, write, sent } = await openPrices();
  await open(MAKE);
  await user.clear(field("From"));
  await user.clear(field("Until"));
  await press(MAKE);
  await expect.poll(() => noteOf(PRICE)).toBe("Enter an amount, as in 12.50.");
  expect(["From", "Until", "Why"].map(noteOf)).toEqual([
    "Fill this in.",
    "Enter a time after the start.",
    "Say why, in three letters at least.",
  ]);
  await write("From", toLocalTime(NOON));
  await write("Until", toLocalTime(NOON));
  await press(MAKE);
  await expect.poll(() => noteOf("From")).toBeUndefined();
  expect([noteOf("Until"), sent()]).toEqual(["Enter a time after the start.", []]);
});

it.each([
  ["priceCents", "too_large", PRICE, "That is too much."],
  ["priceCents", "too_small", PRICE, "That is too little."],
  ["endsAt", "too_large", "Until", "That is too much."],
  ["endsAt", "too_small", "Until", "That is too little."],
] as const)("says where a sale's %s is %s, and keeps what was typed", async (name, issue, label, words) => {
  const { answer, open, press, noteOf, field, write } = await openPrices();
  answer({ [ACT]: refusalReply("invalid_request", { [name]: issue }) });
  await open(MAKE);
  await write(PRICE, "44.99");
  await write("Why", "A slow week");
  await press(MAKE);
  await expect.poll(() => noteOf(label)).toBe(words);
  expect([field(PRICE).value, field("Why").value]).toEqual(["44.99", "A slow week"]);
});

it("ends the sale that was chosen, for a reason, and nothing where that is left", async () => {
  const { answer, open, press, write, sheet, sent, done } = await openPrices();
  answer({ [ACT]: { body: DONE } });
  await open("End");
  expect(screen.getByRole("dialog", { name: "End a sale" })).toBeTruthy();
  expect(sheet().getByText("Drivers pay the list price from now on.")).toBeTruthy();
  await press("Cancel");
  await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  await open("End");
  await write("Why", "Sold out");
  await press("End a sale");
  await expect.poll(() => done.mock.calls).toEqual([["Done"]]);
  expect(sent()).toEqual([{ act: "end_sale", saleId: "sale-1", reason: "Sold out" }]);
});

it("opens the form of a list price with the prices that hold", async () => {
  const { open, noteOf } = await openPrices();
  await open("Change a list price");
  expect(screen.getByRole("dialog", { name: "Change a list price" })).toBeTruthy();
  expect(noteOf(PRICE)).toBe("Now: $89.99");
});

it("lets support change, make and end nothing", async () => {
  await openPrices(SUPPORT);
  expect(buttonNames().filter((name) => /Change|Make|End/u.test(name))).toEqual([]);
});

it("leaves open what was opened before the answer to a form that was left", async () => {
  const { answer, open, press, write, field, sent, done } = await openPrices();
  const arrival = Promise.withResolvers<void>();
  answer({ [ACT]: { body: DONE, after: arrival.promise } });
  await open(MAKE);
  await write(PRICE, "44.99");
  await write("Why", "A slow week");
  await press(MAKE);
  await expect.poll(sent).toHaveLength(1);
  await press("Cancel");
  await open("End");
  await write("Why", "Sold");
  arrival.resolve();
  await expect.poll(() => done.mock.calls).toEqual([["Done"]]);
  await write("Why", " out");
  expect(field("Why").value).toBe("Sold out");
});
