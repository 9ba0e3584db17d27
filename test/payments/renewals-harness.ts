import { expect } from "vitest";
import { RENEWAL_WORDS } from "../../db/shapes/money/renewal.ts";
import { runDueRenewals } from "../../worker/payments/renewals/renewals.ts";
import { settleIntent } from "../../worker/payments/settle-intent.ts";
import type { StoredCard } from "../../worker/payments/stripe/responses.ts";
import { DAY_MS, HOUR_MS, NOW, openCheckout, prepareWeek, type Checkout } from "./checkout-harness.ts";

export const CARD: StoredCard = {
  id: "pm_1",
  type: "card",
  brand: "visa",
  last4: "4242",
  expMonth: 12,
  expYear: 2030,
  mayBeShown: false,
};
export const END = NOW + 7 * DAY_MS;
export const CHARGE_AT = END - 25 * HOUR_MS;
export const NOTICE_AT = CHARGE_AT - DAY_MS;

/** A driver who paid for a week, which renews. */
export async function openRenewedWeek(): Promise<Checkout> {
  const at = openCheckout();
  at.addDriver();
  await prepareWeek(at, { renewal: { capCents: 5022, words: RENEWAL_WORDS } });
  at.bank.pay("pi_2");
  at.bank.cards = [CARD];
  await settleIntent(at.checkout, "pi_2");
  at.told.length = 0;
  at.log.mockClear();
  return at;
}

/** The tests' actions on, and reads of, the week of the present test. */
export function renewalsOf(present: () => Checkout) {
  const look = () => runDueRenewals(present().checkout);
  const lookAt = async (now: number) => {
    present().clock.now = now;
    await look();
  };
  /** A channel confirmed each notice that was given, at once. */
  const confirmNotices = () =>
    present().run(
      `INSERT OR IGNORE INTO renewal_notices (source, channel, driver_id, at)
        SELECT 'renewal:' || consent_id || ':' || noticed_end || ':ahead:' || noticed_cents, 'push', driver_id, noticed_at
        FROM renewals WHERE noticed_end IS NOT NULL`,
    );
  /** Told a day ahead, which arrived, and now at the instant of the charge. */
  const comeToCharge = async () => {
    await lookAt(NOW);
    await lookAt(NOTICE_AT);
    confirmNotices();
    present().clock.now = CHARGE_AT;
  };
  const renewal = () => present().rows(`SELECT * FROM renewals`)[0];
  const consent = () => String(renewal()?.["consent_id"]);
  /** Payments by renewal. */
  const charged = () =>
    present()
      .rows(`SELECT status, total_cents FROM payments WHERE renewal_of IS NOT NULL ORDER BY rowid`)
      .map((row) => row["status"]);
  const news = () => present().told.flatMap(({ changes }) => changes);
  const asked = (name: string) => present().bank.asked.filter(([operation]) => operation === name);
  const change = (sql: string, ...values: (string | number | null)[]) =>
    present().run(`UPDATE ${sql}`, ...values);
  const paused = (pause: string, at_: Partial<Record<string, unknown>> = {}) =>
    expect(renewal()).toMatchObject({ status: "paused", pause, due_at: null, ...at_ });
  return {
    look,
    lookAt,
    comeToCharge,
    confirmNotices,
    renewal,
    consent,
    charged,
    news,
    asked,
    change,
    paused,
  };
}
