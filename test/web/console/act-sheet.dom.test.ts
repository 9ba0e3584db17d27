import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { toast } from "sonner";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DAY_MS, driverId } from "../../../db/shapes/units.ts";
import type { ActDraft } from "../../../web/console/acts/act-form.ts";
import { ActSheet } from "../../../web/console/acts/act-sheet.tsx";
import { DEVICE_TIME_ZONE, formatTime } from "../../../web/features/language/format.ts";
import type { FieldIssue } from "../../../worker/contract/error-response.ts";
import type { DriverPage, PaymentLine } from "../../../worker/contract/console/operator-drivers.ts";
import { NOON } from "../../engine/fixtures.ts";
import { DONE, OWNER } from "../../support/console-part.ts";
import { textsIn } from "../../support/html-text.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, type Reply } from "../../support/scripted-network.ts";

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const ANA = driverId.parse("driver-1");
const ACT = `POST /ops/v1/drivers/${ANA}/acts`;
const REASON = "Say why, in three letters at least.";
const payment = { id: "payment-1", currency: "USD", refundableCents: 3_499 } as PaymentLine;
const END = NOON + 2 * DAY_MS;
/** A driver with two days of service and fifty points, as far as the sheet reads them. */
const page = {
  driver: { id: ANA },
  service: { until: END, unusedMs: 2 * DAY_MS },
  points: { balance: 50 },
} as DriverPage;

/** The sheet of an act in front of an owner, on a network that reaches nobody until more is scripted. */
async function openAct(draft: ActDraft, of = page) {
  const network = scriptNetwork();
  const [done, onClose, onPhones] = [vi.spyOn(toast, "success"), vi.fn(), vi.fn()];
  const sheet = createElement(ActSheet, { draft, page: of, onClose, onPhones });
  const part = await renderPart(sheet, { operator: OWNER });
  const dialog = within(screen.getByRole("dialog"));
  const field = (name: string) => dialog.getByLabelText<HTMLInputElement>(name);
  return {
    ...network,
    ...part,
    done,
    onClose,
    onPhones,
    dialog,
    field,
    noteOf: (name: string) => field(name).parentElement?.querySelector("p")?.textContent,
    write: (name: string, text: string) => part.user.type(field(name), text),
    send: (name: string) => part.user.click(dialog.getByRole("button", { name })),
    acts: () => network.calls.filter(({ operation }) => operation === ACT),
    preview: () => dialog.queryByRole("status")?.textContent,
  };
}

const time = (at: number) => formatTime(at, { timeZone: DEVICE_TIME_ZONE, now: NOON });

it.each<[typed: string, until: number]>([
  ["3", END + 3 * DAY_MS],
  ["-1", END - DAY_MS],
  ["-5", NOON],
])("shows where service ends with %s days more, before they are given", async (typed, until) => {
  const { write, preview } = await openAct({ act: "days" });
  expect(preview()).toBeUndefined();
  await write("Days", typed);
  expect(preview()).toBe(`Service: ${time(END)} → ${time(until)}`);
});

it("shows the first days of a driver, and the balance of points, with a figure that is one", async () => {
  const days = await openAct({ act: "days" }, { ...page, service: { until: null, unusedMs: 0, lines: [] } });
  await days.write("Days", "1");
  expect(days.preview()).toBe(`Service: Never had any → ${time(NOON + DAY_MS)}`);
  days.unmount();
  const points = await openAct({ act: "points" });
  await points.write("Points", "-20");
  expect(points.preview()).toBe("Balance: 50 → 30");
  await points.write("Points", "x");
  expect(points.preview()).toBeUndefined();
});

it("asks for a refund in the currency of its payment, also where the deployment has another by now", async () => {
  const { field } = await openAct({ act: "refund", payment: { ...payment, currency: "EUR" } });
  expect(field("Amount (EUR)").value).toBe("34.99");
});

it("gives days once, however often they are sent while that is under way, and closes", async () => {
  const { answer, write, send, acts, done, onClose } = await openAct({ act: "days" });
  const arrival = Promise.withResolvers<void>();
  answer({ [ACT]: { body: DONE, after: arrival.promise } });
  await write("Days", "+2");
  await write("Why", " A lost day{Enter}");
  await expect.poll(acts).toHaveLength(1);
  await send("Give or take days");
  expect(onClose.mock.calls).toEqual([]);
  arrival.resolve();
  await expect.poll(() => onClose.mock.calls).toEqual([[]]);
  expect(acts().map(({ body }) => body)).toEqual([{ act: "days", days: 2, reason: "A lost day" }]);
  expect(done.mock.calls).toEqual([["Done"]]);
});

it("sends what failed without an answer under the same key from a new sheet, and what was refused under another", async () => {
  const keys = async (reply: Reply) => {
    const { answer, write, send, acts, unmount, dialog } = await openAct({ act: "points" });
    answer({ [ACT]: reply });
    await write("Points", "20");
    await write("Why", "A lost day");
    await send("Give or take points");
    await expect.poll(acts).toHaveLength(1);
    if (reply === "lost") await dialog.findByRole("alert");
    const [key] = acts().map(({ headers }) => headers.get("idempotency-key"));
    unmount();
    return key;
  };
  const [lost, refused, done] = [
    await keys("lost"),
    await keys(refusalReply("conflict")),
    await keys({ body: DONE }),
  ];
  expect([refused === lost, done === lost]).toEqual([true, false]);
});

it.each<[status: "done" | "pending" | "waiting", words: string]>([
  ["done", "Done"],
  ["pending", "Written down. It is carried out as soon as Stripe or the driver's system answers."],
  ["waiting", "Not done yet: an owner has to approve it. See Requests."],
])("says of an act that is %s how far it has come", async (status, words) => {
  const { answer, write, send, done, onPhones } = await openAct({ act: "sign_out" });
  answer({ [ACT]: { body: { ...DONE, status } } });
  await write("Why", "Asked for it");
  await send("Sign out everywhere");
  await expect.poll(() => done.mock.calls).toEqual([[words]]);
  expect(onPhones.mock.calls).toEqual([]);
});

it("hands on the number that it was asked to show", async () => {
  const { answer, write, send, onPhones } = await openAct({ act: "show_phone" });
  const phones = { phoneNumber: "+15550100100", preferredPhoneNumber: null };
  answer({ [ACT]: { body: { ...DONE, phones } } });
  await write("Why", "A call");
  await send("Show the number");
  await expect.poll(() => onPhones.mock.calls).toEqual([[phones]]);
});

it("gives a payment back as it stands, or the part that is typed, and leaves days where it says so", async () => {
  const { answer, user, field, write, send, acts } = await openAct({ act: "refund", payment });
  answer({ [ACT]: { body: DONE } });
  expect(field("Amount (USD)").value).toBe("34.99");
  await user.clear(field("Amount (USD)"));
  await write("Amount (USD)", "10,5");
  await user.click(field("The driver keeps days and points"));
  await write("Why", "A bad day");
  await send("Refund");
  const refund = {
    act: "refund",
    paymentId: "payment-1",
    cents: 1_050,
    keepsDays: true,
    reason: "A bad day",
  };
  await expect.poll(() => acts().map(({ body }) => body)).toEqual([refund]);
});

it("sends nothing that isn't finished, and says at each field what is wrong with it", async () => {
  const price = await openAct({ act: "special_price" });
  await price.user.clear(price.field("Holds for (days)"));
  await price.send("Special price");
  await expect.poll(() => price.noteOf("Price (USD)")).toBe("Enter an amount, as in 12.50.");
  expect(price.noteOf("Holds for (days)")).toBe("Enter a whole number other than zero.");
  expect([price.noteOf("Why"), price.acts()]).toEqual([REASON, []]);
  price.unmount();
  const number = await openAct({ act: "change_number" });
  await number.write("New phone number", "555");
  await number.write("Why", "A lost phone");
  await number.user.click(number.field("Warehouses in the filters"));
  await number.send("Change number");
  await expect.poll(() => number.noteOf("New phone number")).toBe("Enter ten digits.");
  const compared = "Compare at least two things, and say in the reason how.";
  expect([number.noteOf("Why"), number.acts()]).toEqual([compared, []]);
});

it("changes a number with what was compared", async () => {
  const { answer, user, field, write, send, acts } = await openAct({ act: "change_number" });
  answer({ [ACT]: { body: DONE } });
  await write("New phone number", "(555) 010-0199");
  for (const name of ["Email of the delivery account", "Warehouses in the filters"])
    await user.click(field(name));
  await write("Why", "A lost phone");
  await send("Change number");
  const checks = ["platform_email", "warehouses"];
  const change = { act: "change_number", phoneNumber: "+15550100199", checks, reason: "A lost phone" };
  await expect.poll(() => acts().map(({ body }) => body)).toEqual([change]);
});

it.each<[draft: ActDraft, button: string, fields: Record<string, FieldIssue>, field: string, words: string]>([
  [{ act: "days" }, "Give or take days", { days: "too_small" }, "Days", "That is too little."],
  [{ act: "points" }, "Give or take points", { points: "too_large" }, "Points", "That is too much."],
  [{ act: "refund", payment }, "Refund", { cents: "too_large" }, "Amount (USD)", "That is too much."],
  [
    { act: "special_price" },
    "Special price",
    { priceCents: "too_small" },
    "Price (USD)",
    "That is too little.",
  ],
  [
    { act: "special_price" },
    "Special price",
    { endsAt: "too_large" },
    "Holds for (days)",
    "That is too much.",
  ],
  [
    { act: "special_price" },
    "Special price",
    { endsAt: "too_small" },
    "Holds for (days)",
    "That is too little.",
  ],
  [
    { act: "change_number" },
    "Change number",
    { phoneNumber: "invalid" },
    "New phone number",
    "This number is taken, or is the one that they have.",
  ],
])(
  "%j: says where %s was refused, and keeps what was typed: %j",
  async (draft, button, fields, name, words) => {
    const { answer, user, field, dialog, write, send, acts, noteOf, onClose } = await openAct(draft);
    answer({ [ACT]: [refusalReply("invalid_request", fields), { body: DONE }] });
    const [figure = document.body] = dialog.getAllByRole("textbox");
    await user.clear(figure);
    await user.type(figure, draft.act === "change_number" ? "5550100199" : "12");
    for (const check of dialog.queryAllByRole("checkbox")) await user.click(check);
    await write("Why", "As agreed");
    await send(button);
    await expect.poll(() => noteOf(name)).toBe(words);
    expect([field("Why").value, onClose.mock.calls]).toEqual(["As agreed", []]);
    await send(button);
    await expect.poll(acts).toHaveLength(2);
    expect(new Set(acts().map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
  },
);

it("says of a text that can't be sent again why, and of other refusals what their code says", async () => {
  const { answer, write, send, dialog } = await openAct({ act: "resend_text", textId: "text-1" });
  answer({ [ACT]: [refusalReply("conflict", { textId: "invalid" }), refusalReply("conflict"), "lost"] });
  await write("Why", "It never came");
  for (const words of [
    "Codes, account notices and texts older than three days aren't sent again. The driver can ask for a new code.",
    "This can't be done as things stand now.",
    "We couldn't reach the server. Check your connection and try again.",
  ]) {
    await send("Send again");
    expect(await dialog.findByText(words, { exact: false })).toBeTruthy();
  }
});

it.each<ActDraft>([{ act: "show_phone" }, { act: "change_number" }])(
  "says of %j that a day's number of them is used up",
  async (draft) => {
    const { answer, user, write, send, dialog } = await openAct(draft);
    answer({ [ACT]: [refusalReply("forbidden")] });
    for (const figure of dialog.queryAllByLabelText("New phone number"))
      await user.type(figure, "5550100199");
    for (const check of dialog.queryAllByRole("checkbox")) await user.click(check);
    await write("Why", "A lost phone");
    await send(draft.act === "show_phone" ? "Show the number" : "Change number");
    expect(await dialog.findByText("as often as a day allows", { exact: false })).toBeTruthy();
  },
);

it("asks for everything anew after an act, and after one that was refused", async () => {
  const { answer, arrives, isStale, write, send } = await openAct({ act: "test_text" });
  answer({ [ACT]: refusalReply("conflict") });
  arrives(["driver", ANA], page);
  await write("Why", "A test");
  await send("Send a test text");
  await expect.poll(() => isStale(["driver", ANA])).toBe(true);
});

it.each<[draft: ActDraft, title: string, note: string]>([
  [{ act: "erase" }, "Erase driver", "Another operator, an owner, has to approve it. Then account, filters"],
  [
    { act: "end_price", discountId: "d1", plan: "7days" },
    "End a special price",
    "The driver pays the list price",
  ],
  [
    { act: "check_payment", paymentId: "p1" },
    "Look at Stripe now",
    "Asks Stripe whether this payment was paid.",
  ],
])("%j: says what it does, and needs nothing but a reason", async (draft, title, note) => {
  const { dialog, user, onClose } = await openAct(draft);
  expect(screen.getByRole("dialog", { name: title })).toBeTruthy();
  expect(textsIn(screen.getByRole("dialog").innerHTML).some((text) => text.startsWith(note))).toBe(true);
  expect(dialog.getAllByRole("textbox")).toHaveLength(1);
  expect(buttonNames()).toEqual(["Close", "Cancel", title]);
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  expect(onClose.mock.calls).toHaveLength(1);
});
