import { beforeEach, describe, expect, it } from "vitest";
import { consumeProof } from "../../db/queries/identity/one-time-proofs.ts";
import { createPhoneCodes } from "../../worker/identity/accounts/phone-codes.ts";
import { openPool, OWNER, PHONE, type Pool } from "./pool-harness.ts";

let at: Pool;
beforeEach(() => {
  at = openPool();
});

describe("the code that proves a preferred number", () => {
  const codes = () => createPhoneCodes(at.deps);
  const send = () => codes().send({ driverId: OWNER, to: PHONE, language: "pt", address: "192.0.2.1" });
  const check = async (code: string, to = PHONE) => {
    const attempt = await codes().takeTry(OWNER, null);
    const tried = await codes().check({ driverId: OWNER, to, code, attempt });
    if (tried.check !== "right") return tried.check;
    return (await consumeProof(at.deps.db, tried.proof)) ? "right" : "none";
  };
  const stored = () => at.rows(`SELECT user_id, purpose FROM pool_codes`);

  it("is texted in the driver's language, and right once, for its number", async () => {
    expect(await send()).toBe("sent");
    expect(at.texts).toEqual([{ to: PHONE, body: expect.stringMatching(/^pt \d{6}$/) }]);
    expect(at.asked).toEqual([
      { to: PHONE, isProved: false, account: OWNER, address: "192.0.2.1", isDecoy: false },
    ]);
    expect(stored()).toEqual([{ user_id: OWNER, purpose: "preferred_phone" }]);
    expect(await check(at.code(), "+15550100124")).toBe("wrong");
    const caller = { address: null, device: { browser: null, system: null, country: null } };
    expect(at.note.mock.calls).toEqual([[{ event: "code_failed", account: OWNER, caller }]]);
    expect((await Promise.all([check(at.code()), check(at.code())])).toSorted()).toEqual(["none", "right"]);
    expect(await check(at.code())).toBe("none");
  });

  it("loses no tries to a session that was ended", async () => {
    await send();
    at.run(
      `INSERT INTO pool_sessions (origin_jti, user_id, created_at, expires_at, revoked_at) VALUES ('s', ?, 1, 9e15, 2)`,
      OWNER,
    );
    const tries = () => at.rows(`SELECT tries_left FROM pool_codes`);
    const before = tries();
    expect(await codes().takeTry(OWNER, "s")).not.toMatchObject({ kind: "hash" });
    expect(tries()).toEqual(before);
    await codes().takeTry(OWNER, "t");
    expect(tries()).not.toEqual(before);
  });

  it.each([
    ["limit", "limit"],
    ["number", "number"],
    ["stopped", "stopped"],
    ["ceiling", "failed"],
  ] as const)("is not sent where the way to texts says %s", async (reason, outcome) => {
    at.gateway.refuses = reason;
    expect(await send()).toBe(outcome);
    expect(stored()).toEqual([]);
  });

  it("is not sent, nor counted, sooner than its limits allow", async () => {
    await send();
    await send();
    expect(await send()).toBe("limit");
    expect(at.texts).toHaveLength(2);
  });

  it.each([
    ["no_gateway", "failed"],
    ["stopped", "stopped"],
  ] as const)("counts for nothing where its text failed: %s", async (reason, outcome) => {
    at.gateway.fails = { reason, mayArrive: false };
    expect(await send()).toBe(outcome);
    at.gateway.fails = null;
    expect([await send(), await send(), await send()]).toEqual(["sent", "sent", "limit"]);
  });

  it("stays good where its text may have arrived", async () => {
    at.gateway.fails = { reason: "no_gateway", mayArrive: true };
    expect(await send()).toBe("failed");
    expect(stored()).toHaveLength(1);
  });
});
