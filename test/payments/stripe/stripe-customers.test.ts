import { beforeEach, describe, expect, it } from "vitest";
import { driverId } from "../../../db/shapes/units.ts";
import { forgetCalls, calls, list, failure, intent, payment, stripeWith } from "../stripe-harness.ts";

beforeEach(forgetCalls);

describe("a customer at Stripe", () => {
  it("is made once per key, with name, number and the driver's id", async () => {
    const { cards } = stripeWith({ "POST customers": [[200, { object: "customer", id: "cus_1" }]] });
    const driver = { id: driverId.parse("d"), name: "Ana", phoneNumber: "+15550100100" };
    expect(await cards.createCustomer(driver, "customer:d")).toBe("cus_1");
    expect(calls).toEqual([
      {
        call: "POST customers",
        key: "customer:d",
        body: { name: "Ana", phone: "+15550100100", "metadata[driver_id]": "d" },
      },
    ]);
  });

  it("is deleted, even where it is gone already", async () => {
    const call = "DELETE customers/cus_1";
    await stripeWith({ [call]: [[200, { id: "cus_1", deleted: true }]] }).cards.deleteCustomer("cus_1");
    const gone = failure(404, { type: "invalid_request_error", code: "resource_missing", param: "id" });
    await stripeWith({ [call]: [gone] }).cards.deleteCustomer("cus_1");
    const refused = failure(400, { type: "invalid_request_error" });
    await expect(stripeWith({ [call]: [refused] }).cards.deleteCustomer("cus_1")).rejects.toMatchObject({
      kind: "refused",
    });
    expect(calls.map((each) => each.call)).toEqual([call, call, call]);
  });
});

describe("a card that a driver keeps", () => {
  it("is shown for the next payment in a session that leaves it to the intent what the card is kept for", async () => {
    const session = [200, { object: "customer_session", client_secret: "cuss_secret" }] as const;
    const { cards } = stripeWith({ "POST customer_sessions": [session] });
    expect(await cards.openCustomerSession("cus_1")).toBe("cuss_secret");
    const element = (features: Record<string, string>) => ({
      customer: "cus_1",
      "components[payment_element][enabled]": "true",
      ...Object.fromEntries(
        Object.entries(features).map(([name, value]) => [
          `components[payment_element][features][${name}]`,
          value,
        ]),
      ),
    });
    const shown = { payment_method_redisplay: "enabled", payment_method_remove: "enabled" };
    expect(calls.map(({ body }) => body)).toEqual([element({ ...shown, payment_method_save: "disabled" })]);
  });

  it("is listed with what is on it", async () => {
    const { cards } = stripeWith({
      "GET customers/cus_1/payment_methods": [
        list(
          {
            id: "pm_1",
            type: "card",
            card: { brand: "visa", last4: "4242", exp_month: 5, exp_year: 2030 },
            allow_redisplay: "always",
          },
          { id: "pm_2", type: "link", allow_redisplay: "limited" },
        ),
      ],
    });
    const bare = { brand: null, last4: null, expMonth: null, expYear: null };
    expect(await cards.listSavedCards("cus_1")).toEqual([
      {
        id: "pm_1",
        type: "card",
        brand: "visa",
        last4: "4242",
        expMonth: 5,
        expYear: 2030,
        mayBeShown: true,
      },
      { id: "pm_2", type: "link", ...bare, mayBeShown: false },
    ]);
    expect(calls[0]?.body).toEqual({ limit: "100" });
  });

  it("is charged without the driver, once per key", async () => {
    const { cards } = stripeWith({ "POST payment_intents/pi_1/confirm": [[200, intent()]] });
    await cards.confirmWithoutDriver("pi_1", "pm_1", "renewal:1");
    expect(calls).toEqual([
      {
        call: "POST payment_intents/pi_1/confirm",
        key: "renewal:1",
        body: { payment_method: "pm_1", off_session: "true" },
      },
    ]);
  });

  it("is kept by the payment that a renewal was agreed to with", async () => {
    const { cards } = stripeWith({ "POST payment_intents": [[200, intent()]] });
    const whom = { customerId: "cus_1", language: "en", receiptEmail: null } as const;
    await cards.createIntent({ ...payment, renewalCapCents: 6000 }, whom);
    await cards.createIntent(payment, whom);
    expect(calls.map(({ body }) => body["setup_future_usage"])).toEqual(["off_session", undefined]);
  });

  it("is kept for what the driver wants by now", async () => {
    const { cards } = stripeWith({ "POST payment_intents/pi_1": [[200, intent()]] });
    for (const usage of ["on_session", "off_session", null] as const)
      await cards.setMethodUsage("pi_1", usage);
    expect(calls.map(({ body }) => body)).toEqual([
      { setup_future_usage: "on_session" },
      { setup_future_usage: "off_session" },
      { setup_future_usage: "" },
    ]);
  });

  it("is removed, even where it is gone already", async () => {
    const call = "POST payment_methods/pm_1/detach";
    await stripeWith({ [call]: [[200, { id: "pm_1" }]] }).cards.removeSavedCard("pm_1");
    const gone = failure(404, {
      type: "invalid_request_error",
      code: "resource_missing",
      param: "payment_method",
    });
    await stripeWith({ [call]: [gone] }).cards.removeSavedCard("pm_1");
    const refused = failure(400, { type: "invalid_request_error" });
    await expect(stripeWith({ [call]: [refused] }).cards.removeSavedCard("pm_1")).rejects.toMatchObject({
      kind: "refused",
    });
  });
});

describe("a change at Stripe", () => {
  it("are the intents that succeeded, and each once that was refunded, disputed or warned of", async () => {
    const { cards } = stripeWith({
      "GET payment_intents": [
        list(intent({ id: "pi_1", status: "succeeded" }), intent({ id: "pi_2", status: "canceled" })),
      ],
      "GET refunds": [
        list(
          { id: "re_1", payment_intent: "pi_3" },
          { id: "re_2", payment_intent: { id: "pi_4" } },
          { id: "re_3", payment_intent: null },
          { id: "re_4", payment_intent: { id: 5 } },
        ),
      ],
      "GET disputes": [list({ id: "du_1", payment_intent: "pi_3" }, { id: "du_2", payment_intent: "pi_5" })],
      "GET radar/early_fraud_warnings": [list({ id: "issfr_1", payment_intent: "pi_6" })],
      "GET events": [
        list(
          { id: "evt_1", type: "charge.dispute.closed", data: { object: { payment_intent: "pi_5" } } },
          { id: "evt_2", type: "refund.failed", data: { object: { payment_intent: "pi_7" } } },
          { id: "evt_3", type: "charge.refunded", data: { object: { payment_intent: null } } },
        ),
      ],
    });
    expect(await cards.listChangedIntents(1_700_000_000_999)).toEqual({
      succeeded: ["pi_1"],
      refunded: ["pi_3", "pi_4", "pi_5", "pi_6", "pi_7"],
    });
    const recent = { "created[gte]": "1700000000", limit: "100" };
    const asked = ["payment_intents", "refunds", "disputes", "radar/early_fraud_warnings", "events"];
    expect(calls.map(({ call, body }) => [call, body])).toEqual(
      asked.map((what) => [
        `GET ${what}`,
        what === "events" ? expect.objectContaining({ ...recent, "types[0]": "charge.refunded" }) : recent,
      ]),
    );
  });

  it("is found without the events where a restricted key may not read them", async () => {
    const none = list();
    const { cards } = stripeWith({
      "GET payment_intents": [none],
      "GET refunds": [list({ id: "re_1", payment_intent: "pi_3" })],
      "GET disputes": [none],
      "GET events": [failure(403, { type: "invalid_request_error" })],
    });
    expect(await cards.listChangedIntents(0)).toEqual({ succeeded: [], refunded: ["pi_3"] });
  });
});
