import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { toast } from "sonner";
import { afterEach, expect, it, vi } from "vitest";
import { driverId, HOUR_MS } from "../../../db/shapes/units.ts";
import { RequestsScreen } from "../../../web/console/acts/requests-screen.tsx";
import { limitsQuery, requestsQuery } from "../../../web/console/calls/acts.ts";
import type { OperatorRequest } from "../../../worker/contract/console/operators.ts";
import { NOON } from "../../engine/fixtures.ts";
import { DONE, OWNER, SUPPORT } from "../../support/console-part.ts";
import { rowsOf } from "../../support/html-text.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork } from "../../support/scripted-network.ts";

afterEach(() => void vi.restoreAllMocks());

const ID = "0f8fad5b-d9cb-469f";
const DECIDE = `POST /ops/v1/requests/${ID}`;
const [APPROVE, DECLINE] = ["Approve", "Decline"];
const REASON = "Say why, in three letters at least.";
const waiting: OperatorRequest = {
  id: ID,
  act: "refund",
  driverId: driverId.parse("driver-1"),
  driverName: "Ana",
  what: {},
  worthCents: 8_999,
  reason: "A bad week",
  operator: "sam@ops.test",
  role: "support",
  askedAt: NOON,
  expiresAt: NOON + 72 * HOUR_MS,
  status: "waiting",
  decidedBy: null,
  decidedAt: null,
};

async function openRequests(fields: Partial<OperatorRequest> = {}, operator = OWNER, hasMore = false) {
  const network = scriptNetwork();
  const list = { requests: [{ ...waiting, ...fields }], hasMore };
  network.answer({ "GET /ops/v1/requests": { body: list }, "GET /ops/v1/limits": { body: { limits: [] } } });
  const done = vi.spyOn(toast, "success");
  const answered: [readonly unknown[], unknown][] = [
    [requestsQuery.queryKey, list],
    [limitsQuery.queryKey, { limits: [] }],
  ];
  const part = await renderPart(createElement(RequestsScreen), { answered, operator });
  const sheet = () => within(screen.getByRole("dialog"));
  return {
    ...network,
    ...part,
    done,
    sheet,
    decide: (name: string) => part.user.click(screen.getByRole("button", { name })),
    press: (name: string) => part.user.click(sheet().getByRole("button", { name })),
    write: (reason: string) => part.user.type(sheet().getByLabelText("Why"), reason),
    sent: () => network.calls.filter(({ operation }) => operation === DECIDE),
  };
}

it.each([
  [APPROVE, true, "“Refund” is done at once, as asked for by sam@ops.test. The log names you both."],
  [DECLINE, false, "Nothing is done. Whoever asked sees that you declined."],
] as const)("%s: says what follows, and decides once a reason is given", async (name, approve, note) => {
  const { answer, decide, press, write, sent, sheet, done, count } = await openRequests();
  const arrival = Promise.withResolvers<void>();
  answer({ [DECIDE]: { body: DONE, after: arrival.promise } });
  await decide(name);
  expect(screen.getByRole("dialog", { name })).toBeTruthy();
  expect(sheet().getByText(note)).toBeTruthy();
  await press(name);
  expect(await sheet().findByText(REASON)).toBeTruthy();
  expect(sent()).toEqual([]);
  await write(" As agreed ");
  await press(name);
  await press(name);
  expect([sent().length, done.mock.calls]).toEqual([1, []]);
  const asked = count("GET /ops/v1/requests");
  arrival.resolve();
  await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  expect(done.mock.calls).toEqual([["Done"]]);
  expect(sent().map(({ body }) => body)).toEqual([{ approve, reason: "As agreed" }]);
  await expect.poll(() => count("GET /ops/v1/requests")).toBe(asked + 1);
});

it("sends a decision again whose answer was lost under the same key, another under its own, and says why one is refused", async () => {
  const { answer, decide, press, write, sent, sheet } = await openRequests();
  answer({ [DECIDE]: ["lost", refusalReply("conflict"), refusalReply("conflict")] });
  await decide(APPROVE);
  await write("As agreed");
  await press(APPROVE);
  expect(await sheet().findByText("We couldn't reach the server.", { exact: false })).toBeTruthy();
  await press(APPROVE);
  expect(await sheet().findByText("This can't be done as things stand now.", { exact: false })).toBeTruthy();
  await press("Cancel");
  await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  await decide(DECLINE);
  await write("No longer");
  await press(DECLINE);
  await expect.poll(sent).toHaveLength(3);
  const [first, second, third] = sent().map(({ headers }) => headers.get("idempotency-key"));
  expect([first === second, first === third]).toEqual([true, false]);
});

it.each([
  ["support", {}, SUPPORT],
  ["the owner who asked", { operator: OWNER.operator.name }, OWNER],
  ["an owner to whom it is decided", { status: "declined", decidedBy: "uma@ops.test" }, OWNER],
] as const)("lets %s decide nothing", async (_who, fields, operator) => {
  await openRequests(fields, operator);
  expect(screen.queryByRole("button", { name: APPROVE })).toBeNull();
  expect(screen.queryByRole("button", { name: DECLINE })).toBeNull();
});

it("says that there are more requests than it lists", async () => {
  await openRequests({}, OWNER, true);
  expect(screen.getByText("Only the first 1 are listed.")).toBeTruthy();
});

it("says of each request what it is, what it is worth, and who decided it", async () => {
  const row = async (fields: Partial<OperatorRequest>) => {
    const { html, unmount } = await openRequests(fields, SUPPORT);
    const [, cells = []] = rowsOf(html(), "Requests");
    unmount();
    return [cells[1], cells[4]];
  };
  expect(await row({ status: "approved", decidedBy: "uma@ops.test" })).toEqual([
    "Refundworth $89.99A bad weeksam@ops.test",
    "Approveduma@ops.test",
  ]);
  const ofEuros = { paymentId: "p", cents: 8_999, keepsDays: false, currency: "EUR" };
  expect((await row({ what: ofEuros }))[0]).toBe("Refund€89.99, worth €89.99A bad weeksam@ops.test");
  expect(await row({ status: "expired", worthCents: 0 })).toEqual([
    "RefundA bad weeksam@ops.test",
    "Expired",
  ]);
});
