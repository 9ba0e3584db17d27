import { describe, expect, it } from "vitest";
import type { Db } from "../../../db/client.ts";
import { createDriver, loadDriver } from "../../../db/queries/accounts/drivers.ts";
import { insertPayment } from "../../../db/queries/payments/new-payments.ts";
import { savePaymentChange, type PaymentChange } from "../../../db/queries/payments/payment-changes.ts";
import { loadPaymentInProgress, type PaymentRow } from "../../../db/queries/payments/payments.ts";
import { isRenewalUnchanged, loadRenewal, storeRenewals } from "../../../db/queries/payments/renewals.ts";
import { mayPayCondition } from "../../../db/queries/spots/spots.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import {
  consentOf,
  expectNoChange,
  expectOwnChange,
  expectOwnRead,
  NEIGHBOR,
  NOW,
  only,
  openHouse,
  openPaymentOf,
  OWNER,
  paymentOf,
  phoneOf,
  type Furnish,
  type House,
} from "./house.ts";
import { sql, type SQL } from "drizzle-orm";

const holds = async (db: Db, condition: SQL) => db.select({ holds: condition }).from(sql`(SELECT 1)`);

async function ownPayment(): Promise<PaymentRow> {
  const row = await loadPaymentInProgress(openHouse([OWNER]).db, OWNER);
  if (!row) throw new Error("the owner has a payment in progress");
  return row;
}

const NOTHING = {
  credits: [],
  points: [],
  raffle: null,
  refunds: [],
  disputes: [],
  reports: [],
  confirmsCard: false,
  pausesRenewal: false,
  journal: [],
  serviceChanges: [],
  invitation: null,
  consent: null,
} satisfies Partial<PaymentChange>;

/** A change of the owner's payment in progress. */
async function change(
  db: Db,
  given: Partial<PaymentChange>,
  row: Partial<PaymentRow> = {},
): Promise<boolean> {
  const payment = { ...(await ownPayment()), ...row };
  const settled = { status: "settled", settledAt: NOW } as const;
  const all = { ...payment, ...NOTHING, ...settled, ...given };
  return savePaymentChange(db, payment, { change: all, event: null, now: NOW });
}

const sharedConsent: Furnish = only(NEIGHBOR, ({ run }) =>
  run(`UPDATE renewals SET consent_id = ? WHERE driver_id = ?`, consentOf(OWNER), NEIGHBOR),
);
const renewedSince: Furnish = only(OWNER, ({ run }) => {
  run(`UPDATE renewals SET revision = 2 WHERE driver_id = ?`, OWNER);
  run(`DELETE FROM payments WHERE id = ?`, openPaymentOf(OWNER));
});
const inLimitedCity: Furnish = ({ run }, id) => {
  run(`INSERT INTO city_spots (city, spots) VALUES ('city', 1) ON CONFLICT DO NOTHING`);
  if (id === OWNER) run(`DELETE FROM spots WHERE driver_id = ?`, id);
};

describe("a payment beside a neighbor's", () => {
  it("gives its own driver days", async () => {
    expect.hasAssertions();
    const credits = [{ source: "new", durationMs: 7 * DAY_MS }];
    await expectOwnChange((db) => change(db, { credits }));
  });

  it("that was given back pauses its own renewal, whatever consent the neighbor's names", async () => {
    expect.hasAssertions();
    const refunded = { status: "refunded", pausesRenewal: true } as const;
    await expectOwnChange((db) => change(db, refunded, { renewalOf: consentOf(OWNER) }), sharedConsent);
  });

  it("is not begun by a renewal that was changed since, where the neighbor's was not", async () => {
    expect.hasAssertions();
    await expectNoChange(async (db) => {
      const payment = { ...(await ownPayment()), id: "new", intentId: null };
      const known = { settlement: null, knownPaymentId: paymentOf(OWNER), renewal: { revision: 1 } };
      return insertPayment(db, payment, known);
    }, renewedSince);
  });

  it.each<[string, (db: Db) => Promise<unknown>, Furnish?]>([
    ["can be made by who has a spot", (db) => holds(db, mayPayCondition(OWNER))],
    [
      "can't be made by who has none where cities have limits",
      async (db) => [await holds(db, mayPayCondition(OWNER)), await loadDriver(db, OWNER)],
      inLimitedCity,
    ],
    [
      "finds the own renewal unchanged",
      (db) => holds(db, isRenewalUnchanged({ driverId: OWNER, revision: 1 })),
    ],
  ])("%s", async (_what, read, furnish) => {
    expect.hasAssertions();
    await expectOwnRead(read, furnish);
  });

  it("leaves no news of a renewal that was changed since, where the neighbor's was not", async () => {
    expect.hasAssertions();
    const news = { source: "new", kind: "renewal_ahead", money: null, changedMs: null } as const;
    await expectNoChange(async (db) => {
      const renewal = await loadRenewal(db, OWNER);
      const saves = renewal ? [{ renewal: { ...renewal, revision: 1 }, change: { tries: 0 }, news }] : [];
      return [...(await storeRenewals(db, saves, NOW))];
    }, renewedSince);
  });
});

describe("a raffle whose entries are closed", () => {
  const closed: Furnish = ({ run }) => run(`UPDATE promotions SET closed_at = 1 WHERE id = 'raffle'`);

  it("takes no entry of a payment that goes through", async () => {
    const raffle = { kind: "enter", paidAt: NOW } as const;
    const entriesAfter = async (furnish?: Furnish) => {
      const at = openHouse([OWNER], furnish);
      await change(at.db, { raffle });
      return at.rowsOf(OWNER).filter(({ table }) => table === "raffle_entries").length;
    };
    expect([await entriesAfter(), await entriesAfter(closed)]).toEqual([2, 1]);
  });

  it("keeps the entry of a payment that is given back", async () => {
    const at = openHouse([OWNER], closed);
    at.run(`UPDATE raffle_entries SET payment_id = ?`, openPaymentOf(OWNER));
    await change(at.db, { raffle: { kind: "leave" } });
    expect(await at.db.all(sql`SELECT payment_id FROM raffle_entries`)).toHaveLength(1);
  });
});

const THIRD = "third";
/** Another driver, who invited. */
function addInviter({ add }: House): void {
  add("users", { id: THIRD, phone_number: "+15550100444", name: "Rui", flex_email: "rui@example.com" });
  add("driver_devices", { driver_id: THIRD, device_hash: "theirs" });
}
const invitations = ({ db }: House) =>
  db.all<Record<string, unknown>>(
    sql.raw(`SELECT * FROM invitations WHERE inviter_id = '${THIRD}' ORDER BY id`),
  );

describe("a friend beside a neighbor", () => {
  it("earns the inviter a reward, though the neighbor has card, device and address of the friend", async () => {
    const at = openHouse([NEIGHBOR, OWNER]);
    addInviter(at);
    at.add("invitations", { id: "invited", inviter_id: THIRD, friend_id: "nobody yet" });
    at.run(`UPDATE invitations SET friend_id = 'nobody' WHERE friend_id = ?`, OWNER);
    at.run(`UPDATE invitations SET friend_id = ? WHERE id = 'invited'`, OWNER);
    at.run(`UPDATE payments SET method_fingerprint = 'card' WHERE driver_id = ?`, NEIGHBOR);
    at.run(`UPDATE users SET flex_email = 'same@example.com' WHERE id IN (?, ?)`, OWNER, NEIGHBOR);
    at.run(`UPDATE driver_devices SET device_hash = 'same' WHERE driver_id IN (?, ?)`, OWNER, NEIGHBOR);
    at.run(`UPDATE invited_numbers SET rewarded_at = 1 WHERE phone_number = ?`, phoneOf(NEIGHBOR));
    at.run(`DELETE FROM payments WHERE id = ?`, paymentOf(OWNER));
    const theirs = at.rowsOf(NEIGHBOR);
    const invitation = { kind: "grant", rewardMs: 2 * DAY_MS, shares: [] } as const;
    expect(await change(at.db, { methodFingerprint: "card", invitation })).toBe(true);
    expect(await invitations(at)).toMatchObject([{ id: "invited", completed_at: NOW, withheld: null }]);
    expect(at.rowsOf(NEIGHBOR)).toEqual(theirs);
    expect(await at.db.all(sql`SELECT phone_number, rewarded_at FROM invited_numbers ORDER BY 1`)).toEqual([
      { phone_number: phoneOf(NEIGHBOR), rewarded_at: 1 },
      { phone_number: phoneOf(OWNER), rewarded_at: NOW },
    ]);
  });

  it("joins the inviter of the own number, and leaves a trial and an invitation of the neighbor's", async () => {
    const at = openHouse([NEIGHBOR]);
    addInviter(at);
    const friend = { inviter_id: THIRD, has_trial: 1 };
    at.add("invitations", { ...friend, id: "for the neighbor", phone_number: phoneOf(NEIGHBOR) });
    at.add("invitations", { ...friend, id: "for the owner", phone_number: phoneOf(OWNER), has_trial: 0 });
    const theirs = at.rowsOf(NEIGHBOR);
    const driver = {
      phoneNumber: phoneOf(OWNER),
      name: "Ana",
      language: "en",
      referral: "",
      humanTimezone: "",
    } as const;
    const created = await createDriver(at.db, { id: OWNER, ...driver, createdAt: NOW }, "new");
    expect(created?.row.trialPending).toBe(false);
    expect(at.rowsOf(NEIGHBOR)).toEqual(theirs);
    expect(await invitations(at)).toMatchObject([
      { id: "for the neighbor", friend_id: null },
      { id: "for the owner", friend_id: OWNER },
    ]);
  });
});
