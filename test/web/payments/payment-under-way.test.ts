import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { createElement, type ReactNode } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { PaymentInProgress, PaymentResponse } from "../../../worker/contract/money/payments.ts";
import * as payments from "../../../web/api/queries/payments.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { PaymentUnderWay } from "../../../web/features/payments/payment-under-way.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import * as buttons from "../../../web/ui/button.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { htmlOfPart, textsIn } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const IN_PROGRESS: PaymentInProgress = {
  id: "p1",
  status: "processing",
  plan: "7days",
  currency: "USD",
  totalCents: 5022,
  since: NOON - HOUR_MS,
  canCancel: true,
};

/** The panel, whose buttons can be pressed by their texts. */
async function openPanel(inProgress: PaymentInProgress, onRefresh = () => undefined) {
  const presses = new Map<unknown, () => void>();
  vi.spyOn(buttons, "Button").mockImplementation(({ children, onClick }) => {
    presses.set(children, onClick as unknown as () => void);
    return createElement("button", null, children);
  });
  const clients: QueryClient[] = [];
  const Page = ({ children }: { children?: ReactNode }) => {
    clients.push(useQueryClient());
    return children;
  };
  const panel = createElement(PaymentUnderWay, { inProgress, onRefresh });
  const html = await htmlOfPart(createElement(Page, null, panel), {
    answered: [[userQuery.queryKey, RECORD]],
  });
  return { texts: textsIn(html), press: (text: string) => presses.get(text)?.(), queryClient: clients[0] };
}

const WHAT = [
  "Your bank is still processing this",
  "$50.22 for 7 days of service, since 11:00 AM",
  expect.stringMatching(/^We'll let you know and add your days/u),
];

it.each<[what: string, canCancel: boolean, texts: string[]]>([
  [
    "that can be canceled",
    true,
    ["You can try to cancel it, which works only until your bank takes it.", "Check again", "Cancel payment"],
  ],
  [
    "that the bank has for good",
    false,
    [
      "Your bank has it already, so it can't be canceled. Contact us if you want the money back.",
      "Check again",
    ],
  ],
])("says of a payment %s what it is and what can be done", async (_what, canCancel, texts) => {
  expect((await openPanel({ ...IN_PROGRESS, canCancel })).texts).toEqual([...WHAT, ...texts]);
});

it("looks again at a press, and shows what became of a payment that was canceled", async () => {
  const response = { payment: { id: "p1", status: "abandoned" } } as unknown as PaymentResponse;
  const cancel = vi.spyOn(payments, "cancelPayment").mockResolvedValue(response);
  const look = vi.fn<() => undefined>();
  const { press, queryClient } = await openPanel(IN_PROGRESS, look);
  press("Check again");
  expect([look.mock.calls.length, cancel.mock.calls]).toEqual([1, []]);
  press("Cancel payment");
  await expect.poll(() => queryClient?.getQueryData(payments.paymentQuery("p1").queryKey)).toBe(response);
  expect(cancel.mock.calls).toEqual([["p1"]]);
});
