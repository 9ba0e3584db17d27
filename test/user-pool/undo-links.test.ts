import { beforeEach, describe, expect, it } from "vitest";
import { driverId } from "../../db/shapes/units.ts";
import { makeUndoToken } from "../../worker/identity/accounts/undo.ts";
import { NOW, openPool, OTHER, OWNER, PHONE, type Pool } from "./pool-harness.ts";

const DAY_MS = 86_400_000;

let at: Pool;
beforeEach(() => {
  at = openPool();
});

describe("a link that undoes a change", () => {
  const notice = (tokenHash: string) =>
    at.run(
      `INSERT INTO pool_notices VALUES ('n', ?, 'password', ?, 'en', ?, ?, ?, ?)`,
      OWNER,
      PHONE,
      NOW,
      NOW + DAY_MS,
      NOW,
      tokenHash,
    );

  it("has a token of 128 bits that a text can hold, of which a hash is kept", async () => {
    const made = await Promise.all(Array.from({ length: 60 }, () => makeUndoToken()));
    for (const { token, tokenHash } of made) {
      expect(token).toMatch(/^[\w-]{22}$/);
      expect(tokenHash).toMatch(/^[0-9a-f]{64}$/);
    }
    // Both letters that base64 writes otherwise turn up in so many.
    expect(made.map(({ token }) => token).join("")).toMatch(/-.*_|_.*-/);
    expect(new Set(made.flatMap(({ token, tokenHash }) => [token, tokenHash])).size).toBe(120);
    const [first] = made;
    notice(first?.tokenHash ?? "");
    expect(await at.pool.findUndo(first?.token ?? "")).toMatchObject({ userId: OWNER, kind: "password" });
    expect(await at.pool.findUndo(made[1]?.token ?? "")).toBeNull();
    at.clock.now = NOW + DAY_MS;
    expect(await at.pool.findUndo(first?.token ?? "")).toBeNull();
  });

  it("brings the account back, says so in the log, and what follows the account hears of it", async () => {
    const sub = driverId.parse(await at.register());
    const change = {
      id: "n",
      userId: sub,
      kind: "password",
      phoneNumber: PHONE,
      language: "en",
      changedAt: NOW,
      expiresAt: NOW + DAY_MS,
      toldAt: NOW,
      tokenHash: "h",
    } as const;
    expect(await at.pool.undo(change)).toBe("gone");
    at.onAccountChange.mockClear();
    at.run(
      `INSERT INTO pool_notices VALUES ('n', ?, 'password', ?, 'en', ?, ?, ?, 'h')`,
      sub,
      PHONE,
      NOW,
      NOW + DAY_MS,
      NOW,
    );
    expect(await at.pool.undo(change)).toBe("undone");
    expect(at.log.mock.calls).toEqual([
      ["warn", "identity.change.undone", { driverId: sub, kind: "password" }],
    ]);
    expect(at.onAccountChange.mock.calls).toEqual([[sub]]);
    expect(at.rows(`SELECT status FROM pool_users`)).toEqual([{ status: "RESET_REQUIRED" }]);
    at.log.mockClear();
    expect(await at.pool.undo({ ...change, userId: OTHER })).toBe("gone");
    expect(at.log).not.toHaveBeenCalled();
    expect(at.onAccountChange.mock.calls).toEqual([[sub], [OTHER]]);
  });
});
