import { createElement } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { DAY_MS } from "../../../db/shapes/units.ts";
import type { PaymentResponse } from "../../../worker/contract/money/payments.ts";
import { paymentHistoryQuery, paymentQuery, plansQuery } from "../../../web/api/queries/payments.ts";
import { rewardsQuery } from "../../../web/api/queries/rewards.ts";
import { renewalQuery, savedCardsQuery } from "../../../web/api/queries/saved-cards.ts";
import { pauseQuery } from "../../../web/api/queries/service-time.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { PaymentOutcome } from "../../../web/features/payments/payment-outcome.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { makePayment } from "./payment-fixture.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => {
  storeSession(localStorage);
  scriptNetwork();
});

const respond = (status: "processing" | "settled"): PaymentResponse => ({
  payment: makePayment({ status }),
  serviceUntil: NOON + 7 * DAY_MS,
});

it("has all that a payment changes asked for anew, once it is decided", async () => {
  const changed = [paymentHistoryQuery, pauseQuery, renewalQuery, rewardsQuery, savedCardsQuery];
  const keys = changed.map(({ queryKey }): readonly unknown[] => queryKey);
  const { arrives, cached, isStale } = await renderPart(
    createElement(PaymentOutcome, { plan: "7days", payment: "pay" }),
    {
      answered: [
        [userQuery.queryKey, RECORD],
        [plansQuery.queryKey, {}],
        [paymentQuery("pay").queryKey, respond("processing")],
        ...keys.map((key): [readonly unknown[], unknown] => [key, {}]),
      ],
    },
  );
  expect([keys.filter(isStale), cached(plansQuery.queryKey)]).toEqual([[], {}]);
  arrives(paymentQuery("pay").queryKey, respond("settled"));
  await expect.poll(() => keys.filter(isStale)).toEqual(keys);
  expect(cached(plansQuery.queryKey)).toBeUndefined();
});
