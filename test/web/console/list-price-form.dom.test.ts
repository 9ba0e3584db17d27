import { screen } from "@testing-library/react";
import { createElement } from "react";
import { toast } from "sonner";
import { afterEach, expect, it, vi } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { FieldIssue } from "../../../worker/contract/error-response.ts";
import { toLocalTime } from "../../../web/console/forms/deployment-forms.ts";
import { ListPriceForm } from "../../../web/console/prices/list-price-form.tsx";
import { DEVICE_TIME_ZONE, formatTime } from "../../../web/features/language/format.ts";
import { NOON } from "../../engine/fixtures.ts";
import { DONE, OWNER } from "../../support/console-part.ts";
import { textsIn } from "../../support/html-text.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork } from "../../support/scripted-network.ts";

afterEach(() => void vi.restoreAllMocks());

const PRICES = [
  { plan: "7days" as const, priceCents: 5_499 },
  { plan: "14days" as const, priceCents: 8_999 },
];
const ACT = "POST /ops/v1/acts";
const PRICE = "Price (USD)";
const SAME_PRICE = "The plan costs that already.";
const TOO_SMALL = "That is too little.";
const TOO_LARGE = "That is too much.";
const NOT_AHEAD = "Enter a time ahead, or nothing.";
const preview = (typed: string) => `GET /ops/v1/prices/preview?plan=14days&priceCents=${typed}`;

/** The form in front of an owner, on a network that reaches nobody until more is scripted. */
async function openForm() {
  const network = scriptNetwork();
  const [done, onClose] = [vi.spyOn(toast, "success"), vi.fn()];
  const form = createElement(ListPriceForm, { prices: PRICES, onClose });
  const part = await renderPart(form, { operator: OWNER });
  const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
  /** The text beside a field. */
  const noteOf = (name: string) => field(name).parentElement?.querySelector("p")?.textContent;
  return {
    ...network,
    ...part,
    done,
    onClose,
    field,
    noteOf,
    notes: () => Object.fromEntries([PRICE, "From", "Why"].map((name) => [name, noteOf(name)])),
    send: () => part.user.click(screen.getByRole("button", { name: "Change a list price" })),
    acts: () => network.calls.filter(({ operation }) => operation === ACT),
  };
}

it("shows of a typed price what drivers will pay from when, beside the plan's price now", async () => {
  const { answer, user, field, noteOf } = await openForm();
  const at = NOON + HOUR_MS;
  const steps = [
    { at: NOON, listCents: 5_499, payCents: 5_499 },
    { at, listCents: 6_000, payCents: 4_500 },
  ];
  answer({ "GET /ops/v1/prices/preview?plan=7days&priceCents=6000": { body: { steps } } });
  expect(noteOf(PRICE)).toBe("Now: $89.99");
  await user.selectOptions(field("Plan"), "7 days");
  expect(noteOf(PRICE)).toBe("Now: $54.99");
  expect(screen.queryByRole("status")).toBeNull();
  await user.type(field(PRICE), "60");
  await screen.findByText(/\$45\.00/u);
  const time = textsIn(formatTime(at, { timeZone: DEVICE_TIME_ZONE, now: Date.now() }));
  expect(textsIn(screen.getByRole("status").innerHTML)).toEqual([
    "What drivers will pay",
    "Now",
    "$54.99",
    ...time,
    "$45.00 (list price $60.00)",
  ]);
});

it.each<[fields: Record<string, FieldIssue>, words: string]>([
  [{ priceCents: "too_small" }, TOO_SMALL],
  [{ priceCents: "too_large" }, TOO_LARGE],
  [{ priceCents: "invalid" }, SAME_PRICE],
  [{ startsAt: "too_small" }, NOT_AHEAD],
  [{ startsAt: "too_small", priceCents: "too_large" }, NOT_AHEAD],
])("says in place of the prices why the server refuses a typed one: %j", async (fields, words) => {
  const { answer, user, field } = await openForm();
  answer({ [preview("600")]: refusalReply("invalid_request", fields) });
  await user.type(field(PRICE), "6");
  expect(await screen.findByText(words)).toHaveProperty("tagName", "OUTPUT");
});

it("has nothing against a price that the server couldn't look at", async () => {
  const { answer, user, field, count } = await openForm();
  answer({ [preview("600")]: [refusalReply("internal"), "lost"] });
  await user.type(field(PRICE), "6");
  await expect.poll(() => count(preview("600"))).toBe(1);
  await user.type(field("Why"), "As agreed");
  expect(screen.getByRole("status").textContent).toBe("What drivers will pay");
});

it("says at each field what is wrong with it, goes to the first, and sends nothing", async () => {
  const { send, notes, field, acts } = await openForm();
  await send();
  await expect.poll(notes).toEqual({
    [PRICE]: "Enter an amount, as in 12.50.",
    From: "Empty: at once.",
    Why: "Say why, in three letters at least.",
  });
  await expect.poll(() => document.activeElement).toBe(field(PRICE));
  expect(acts()).toEqual([]);
});

it("changes the price once, however often it is sent while that is under way, and closes", async () => {
  const { answer, send, user, field, acts, done, onClose } = await openForm();
  const arrival = Promise.withResolvers<void>();
  answer({ [ACT]: { body: DONE, after: arrival.promise } });
  await user.type(field(PRICE), "95,5");
  await user.type(field("Why"), " As agreed{Enter}");
  await expect.poll(acts).toHaveLength(1);
  await send();
  await user.type(field("Why"), "{Enter}");
  expect([onClose.mock.calls, done.mock.calls]).toEqual([[], []]);
  arrival.resolve();
  await expect.poll(() => onClose.mock.calls).toEqual([[]]);
  expect(done.mock.calls).toEqual([["Done"]]);
  const sent = { act: "list_price", plan: "14days", priceCents: 9_550, startsAt: null, reason: "As agreed" };
  expect(acts().map(({ body }) => body)).toEqual([sent]);
});

it("says why a price was refused, where it was, and repeats it under the same key until that stands for another", async () => {
  const { answer, send, user, field, notes, acts, onClose } = await openForm();
  const fields = { priceCents: "too_small", startsAt: "invalid" } as const;
  answer({ [ACT]: [refusalReply("invalid_request", fields), refusalReply("conflict"), "lost"] });
  await user.type(field(PRICE), "1");
  await user.type(field("Why"), "As agreed");
  await send();
  await expect.poll(notes).toEqual({ [PRICE]: TOO_SMALL, From: NOT_AHEAD, Why: undefined });
  await user.type(field(PRICE), "00");
  expect(notes()).toEqual({ [PRICE]: "Now: $89.99", From: NOT_AHEAD, Why: undefined });
  await send();
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("This can't be done as things stand now.");
  expect(notes()).toEqual({ [PRICE]: "Now: $89.99", From: "Empty: at once.", Why: undefined });
  await send();
  await screen.findByText("We couldn't reach the server. Check your connection and try again.");
  const keys = acts().map(({ headers }) => headers.get("idempotency-key"));
  expect([keys.length, keys[1] === keys[0], keys[2] === keys[0], keys[0]]).toEqual([
    3,
    true,
    false,
    expect.stringMatching(/^[\da-f-]{36}$/u),
  ]);
  expect(onClose.mock.calls).toEqual([]);
});

it("has the price begin at a time that is typed, in the operator's own zone", async () => {
  const { answer, send, user, field, acts, onClose } = await openForm();
  answer({ [ACT]: { body: DONE } });
  await user.type(field(PRICE), "95");
  await user.type(field("From"), toLocalTime(NOON));
  await user.type(field("Why"), "As agreed");
  await send();
  await expect.poll(() => onClose.mock.calls).toHaveLength(1);
  expect(acts().map(({ body }) => body["startsAt"])).toEqual([NOON]);
});
