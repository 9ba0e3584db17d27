import { beforeEach, describe, expect, it } from "vitest";
import { storeLostDay } from "../../db/queries/payments/lost-days.ts";
import { RENEWAL_WORDS } from "../../db/shapes/money/renewal.ts";
import { driverId } from "../../db/shapes/units.ts";
import { closePayments } from "../../worker/payments/close-payments.ts";
import { turnRenewal } from "../../worker/payments/renewals/renewal-state.ts";
import { settleIntent } from "../../worker/payments/settle-intent.ts";
import { DAY_MS, DRIVER, HOUR_MS, NOW, prepareWeek, type Checkout } from "./checkout-harness.ts";
import { openRenewedWeek } from "./renewals-harness.ts";

const OTHER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a02");
const DATE = "2026-11-21";
const RENEWAL = { capCents: 5022, words: RENEWAL_WORDS };

let at: Checkout;
/** All that belongs to the other driver. */
let rest: () => unknown[];
beforeEach(async () => {
  at = await openRenewedWeek();
  at.addDriver(OTHER);
  await prepareWeek(at, { driverId: OTHER, renewal: RENEWAL });
  at.bank.pay("pi_4", { methodId: "pm_other", fingerprint: "print_2" });
  await settleIntent(at.checkout, "pi_4");
  // And one in progress.
  await prepareWeek(at, { driverId: OTHER });
  at.run(`INSERT INTO point_entries (source, driver_id, points, at) VALUES ('test', ?, 500, 1)`, OTHER);
  const owned = at.rows(
    `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'driver_id' WHERE m.type = 'table'`,
  );
  const ofOther = (table: unknown) => at.rows(`SELECT * FROM ${String(table)} WHERE driver_id = '${OTHER}'`);
  rest = () => [
    at.rows(`SELECT * FROM users WHERE id = '${OTHER}'`),
    ...owned.map(({ name }) => ofOther(name)),
  ];
});

const turn = async (on: boolean) =>
  turnRenewal(at.checkout, await at.driver(), on ? { on, plan: "7days", ...RENEWAL } : { on });

describe("a driver beside another one", () => {
  it.each<[string, () => Promise<unknown>]>([
    ["turns the renewal off", () => turn(false)],
    ["turns it off and on", async () => [await turn(false), await turn(true)]],
    [
      "pays again",
      async () => {
        await prepareWeek(at);
        at.bank.pay("pi_6");
        await settleIntent(at.checkout, "pi_6");
      },
    ],
    ["leaves", () => closePayments(at.checkout, DRIVER)],
    [
      "gets a lost day back",
      () =>
        storeLostDay(at.checkout.db, {
          driverId: DRIVER,
          date: DATE,
          lostMs: 3 * HOUR_MS,
          day: { from: NOW, to: NOW + DAY_MS },
          fromMs: HOUR_MS,
          now: NOW,
        }),
    ],
  ])("%s, and changes nothing of the other's", async (_name, act) => {
    const before = rest();
    const own = at.rows(`SELECT * FROM renewals WHERE driver_id = '${DRIVER}'`);
    expect(own).toHaveLength(1);
    await act();
    expect(rest()).toEqual(before);
  });
});
