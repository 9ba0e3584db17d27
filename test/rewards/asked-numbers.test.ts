import { beforeEach, describe, expect, it } from "vitest";
import { driverId, type DriverId } from "../../db/shapes/units.ts";
import { askAboutNumber, checkNumber } from "../../worker/rewards/invite.ts";
import { DAY_MS, DRIVER, NOW, open, type Checkout } from "../payments/checkout-harness.ts";

const OWN = "+15550101111";
const PREFERRED = "+15550102222";

let at: Checkout;
beforeEach(() => {
  at = open();
  at.run(`UPDATE users SET phone_number = ?, preferred_phone_number = ?`, OWN, PREFERRED);
});

const ask = async (phoneNumber: string) =>
  checkNumber({ ...at.checkout, record: await at.driver(), address: null }, phoneNumber);
const other = (index: number) => `+1555020${String(index).padStart(4, "0")}`;

describe("a driver who asks about a number", () => {
  it("can't invite themselves, by neither of their numbers, and nothing is counted for it", async () => {
    for (const own of [OWN, PREFERRED]) expect(await ask(own)).toEqual({ ok: false, code: "own_number" });
    expect(at.rows(`SELECT * FROM invite_tries`)).toEqual([]);
  });

  it("is counted once the record says that the number is another's, also where it is read later", async () => {
    const tries = async (inviterId: DriverId, phoneNumber: string) => {
      await askAboutNumber(at.checkout.deps, { inviterId, sessionId: null, phoneNumber });
      return at.rows(`SELECT phone_number FROM invite_tries`).length;
    };
    const stranger = driverId.parse("11111111-1111-4111-8111-111111111111");
    expect([
      await tries(DRIVER, OWN),
      await tries(DRIVER, PREFERRED),
      await tries(stranger, other(1)),
    ]).toEqual([0, 0, 0]);
    expect(await tries(DRIVER, other(1))).toBe(1);
    at.run(`UPDATE users SET preferred_phone_number = NULL`);
    expect(await tries(DRIVER, other(2))).toBe(2);
  });

  it("is not counted in a session that was ended, whoever still holds its token", async () => {
    const end = `INSERT INTO pool_sessions (origin_jti, user_id, created_at, expires_at, revoked_at) VALUES (?, ?, 1, ?, ?)`;
    at.run(end, "ended", DRIVER, NOW + DAY_MS, NOW);
    at.run(end, "live", DRIVER, NOW + DAY_MS, null);
    for (const [sessionId, tries] of [
      ["ended", 0],
      ["live", 1],
      ["of another pool", 2],
    ] as const) {
      const phoneNumber = other(tries);
      await askAboutNumber(at.checkout.deps, { inviterId: DRIVER, sessionId, phoneNumber });
      expect(at.rows(`SELECT phone_number FROM invite_tries`)).toHaveLength(tries);
    }
  });

  it("asks about ten in a day, about each as often as they like", async () => {
    for (let index = 0; index < 10; index += 1) {
      at.clock.now = NOW + index;
      expect([await ask(other(index)), await ask(other(index))]).toEqual([null, null]);
    }
    const refusal = { ok: false, code: "invitations_used_up", retryAt: NOW + DAY_MS };
    expect([await ask(other(10)), await ask(other(3))]).toEqual([refusal, null]);
    at.clock.now = NOW + DAY_MS;
    expect([await ask(other(10)), await ask(other(11))]).toEqual([
      null,
      { ...refusal, retryAt: NOW + DAY_MS + 1 },
    ]);
  });
});
