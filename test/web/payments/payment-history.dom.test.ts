import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { paymentHistoryQuery } from "../../../web/api/queries/payments.ts";
import { lostDaysQuery, pauseQuery } from "../../../web/api/queries/service-time.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { PaymentsScreen } from "../../../web/features/payments/payments-screen.tsx";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { makePayment } from "./payment-fixture.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

const OLDER = "GET /flex/v1/payments?cursor=next";
const FAILED = "We couldn't load your payment history";
const payment = makePayment({ id: "new", receiptNumber: 1 });

it("says that older payments couldn't be loaded, keeps those that are there, and asks again at a press", async () => {
  const { answer, count } = scriptNetwork();
  const older = { items: [{ ...payment, id: "old", plan: "14days" }], cursor: null };
  answer({ [OLDER]: ["lost", { body: older }] });
  const { user } = await renderPart(createElement(PaymentsScreen, null, null), {
    answered: [
      [userQuery.queryKey, RECORD],
      [lostDaysQuery.queryKey, { days: [] }],
      [pauseQuery.queryKey, { serviceUntil: null }],
      [paymentHistoryQuery.queryKey, { pages: [{ items: [payment], cursor: "next" }], pageParams: [null] }],
    ],
  });
  const payments = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent?.split("$")[0]);
  const more = () => user.click(screen.getByRole("button", { name: "Show older" }));
  expect([payments(), screen.queryByText(FAILED)]).toEqual([["7 days"], null]);
  await more();
  expect(await screen.findByText(FAILED)).toBeTruthy();
  expect([payments(), count(OLDER)]).toEqual([["7 days"], 1]);
  await more();
  await expect.poll(payments).toEqual(["7 days", "14 days"]);
  expect([screen.queryByText(FAILED), screen.queryByRole("button", { name: "Show older" })]).toEqual([
    null,
    null,
  ]);
});

it("names the year of a payment from half a year away on, in the list and in its sheet", async () => {
  scriptNetwork();
  const at = (days: number) => Date.now() - days * DAY_MS;
  const items = [100, 400].map((days) => makePayment({ id: `p${days}`, at: at(days) }));
  const { user } = await renderPart(createElement(PaymentsScreen, null, null), {
    answered: [
      [userQuery.queryKey, RECORD],
      [lostDaysQuery.queryKey, { days: [] }],
      [pauseQuery.queryKey, { serviceUntil: null }],
      [paymentHistoryQuery.queryKey, { pages: [{ items, cursor: null }], pageParams: [null] }],
    ],
  });
  const year = new Intl.DateTimeFormat("en", { year: "numeric", timeZone: RECORD.humanTimezone }).format(
    at(400),
  );
  const [near, far] = screen.getAllByRole("button", { name: /^7 days/u });
  expect([near, far].map((row) => /, \d{4}/u.exec(row?.textContent ?? "")?.[0] ?? null)).toEqual([
    null,
    `, ${year}`,
  ]);
  await user.click(far!);
  expect((await screen.findByRole("dialog")).textContent).toContain(`, ${year}`);
});
