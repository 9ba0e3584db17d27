import { beforeEach, describe, expect, it } from "vitest";
import { reconcileDays } from "../../../worker/console/books.ts";
import { actOnDeployment } from "../../../worker/console/deployment-acts.ts";
import { actOnDriver } from "../../../worker/console/driver-acts.ts";
import { carryOut } from "../../../worker/console/orders.ts";
import type { DeploymentAct, DriverAct } from "../../../worker/contract/console/operator-acts.ts";
import { settleIntent } from "../../../worker/payments/settle-intent.ts";
import { prepareWeek } from "../../payments/checkout-harness.ts";
import { ANA, openDesk, outcomeOf, reason, type Desk } from "../desk.ts";

let at: Desk;
beforeEach(() => {
  at = openDesk({ IDENTITY: "embedded" });
});

const key = () => crypto.randomUUID();

it.each<[DeploymentAct, string]>([
  [{ act: "end_raffle", raffle: "none", reason }, "not_found"],
  [{ act: "draw", raffle: "none", seed: "seed", reason }, "not_found"],
  [{ act: "compensate_raffle", raffle: "none", points: 5, reason }, "not_found"],
  [{ act: "resolve_error", errorId: "none", reason }, "not_found"],
  [{ act: "after_restore", reason }, "conflict"],
  [{ act: "release_renewals", reason }, "conflict"],
  [{ act: "rotate_keys", reason }, "conflict"],
])("an act on what isn't there is refused, and not in the log: %o", async (input, code) => {
  expect(await outcomeOf(actOnDeployment(at.as("owner"), key(), input))).toBe(code);
  expect(at.rows(`SELECT id FROM operator_acts`)).toEqual([]);
});

it.each<DriverAct>([
  { act: "disable", reason },
  { act: "change_number", phoneNumber: "+15550100177", checks: ["last_payment", "platform_email"], reason },
])("an act on an account is refused for a driver who has none: %o", async (input) => {
  expect(await at.act("owner", key(), input)).toBe("not_found");
});

describe("where there is nothing to ask Stripe about", () => {
  it("the console compares no books, and settles no payment", async () => {
    const paymentId = await prepareWeek(at);
    const check: DriverAct = { act: "check_payment", paymentId, reason };
    const cardless = { ...at.cardless, operator: at.as("owner").operator };
    const days = { from: "2026-11-01", to: "2026-11-02" };
    expect(await outcomeOf(reconcileDays(cardless, days))).toBe("cards_unavailable");
    expect(await outcomeOf(actOnDriver(cardless, { driverId: ANA, id: key() }, check))).toBe(
      "cards_unavailable",
    );
    at.run(`UPDATE payments SET intent_id = NULL WHERE id = ?`, paymentId);
    expect(await at.act("owner", key(), check)).toBe("conflict");
  });

  it.each(["cents = NULL", "payment_id = NULL"])(
    "no money is given back by an order with %s",
    async (change) => {
      const paymentId = await prepareWeek(at);
      at.bank.pay("pi_2");
      await settleIntent(at.checkout, "pi_2");
      at.bank.during("refundIntent", () => {
        throw new Error("the Worker ends here");
      });
      const id = key();
      const refund: DriverAct = { act: "refund", paymentId, cents: 2000, keepsDays: false, reason };
      expect(await at.act("owner", id, refund)).toBe("pending");
      const asked = at.bank.count("refundIntent");
      at.run(`UPDATE operator_orders SET ${change}`);
      expect(await carryOut(at.checkout, id)).toBe("pending");
      expect(at.bank.count("refundIntent")).toBe(asked);
    },
  );
});
