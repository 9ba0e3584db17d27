import { beforeEach, describe, expect, it } from "vitest";
import { addPoolUser } from "../../db/queries/identity/pool-users.ts";
import { noteEvent } from "../../worker/identity/pool-context.ts";
import { poolUser } from "../support/pool-user.ts";
import { NOW, openPool, OTHER, OWNER, type Pool } from "./pool-harness.ts";

const DAY_MS = 86_400_000;

let at: Pool;
beforeEach(() => {
  at = openPool();
});

describe("a session", () => {
  beforeEach(async () => {
    for (const [index, id] of [OWNER, OTHER].entries())
      await addPoolUser(at.context.db, poolUser({ id, phoneNumber: `+1555010010${index}` }));
  });

  const open = (id: string, owner = OWNER, change: Record<string, string | number | null> = {}) => {
    const row = {
      origin_jti: id,
      user_id: owner,
      created_at: NOW - 1000,
      expires_at: NOW + DAY_MS,
      revoked_at: null,
      last_seen_at: NOW - 500,
      browser: "Firefox",
      system: "Linux",
      country: "US",
      ...change,
    };
    const names = Object.keys(row);
    at.run(
      `INSERT INTO pool_sessions (${names.join()}) VALUES (${names.map(() => "?").join()})`,
      ...Object.values(row),
    );
  };
  const live = () =>
    at
      .rows(`SELECT origin_jti FROM pool_sessions WHERE revoked_at IS NULL ORDER BY 1`)
      .map((row) => row["origin_jti"]);
  const isLive = (originJti: string, lifetimeSeconds = 3600, userId = OWNER) =>
    at.pool.isTokenLive({ originJti, userId, lifetimeSeconds });

  it("is listed for its owner, the one that was used last first", async () => {
    open("old", OWNER, { last_seen_at: 0 });
    open("new");
    open("revoked", OWNER, { revoked_at: 1 });
    open("over", OWNER, { expires_at: NOW });
    open("other", OTHER);
    const shown = { browser: "Firefox", system: "Linux", country: "US", signedInAt: NOW - 1000 };
    expect(await at.pool.listSessions(OWNER)).toEqual([
      { ...shown, id: "new", lastSeenAt: NOW - 500, expiresAt: NOW + DAY_MS },
      { ...shown, id: "old", lastSeenAt: NOW - 1000, expiresAt: NOW + DAY_MS },
    ]);
  });

  it("is ended by its owner, once, and what follows the account hears of it", async () => {
    open("one");
    open("two");
    expect(await at.pool.endSession({ originJti: "one", userId: OTHER })).toBe(false);
    expect(at.onAccountChange).not.toHaveBeenCalled();
    expect(await at.pool.endSession({ originJti: "one", userId: OWNER })).toBe(true);
    expect(await at.pool.endSession({ originJti: "one", userId: OWNER })).toBe(false);
    expect(at.onAccountChange.mock.calls).toEqual([[OWNER]]);
    expect(live()).toEqual(["two"]);
  });

  it("is the only one left after the others were ended", async () => {
    for (const id of ["one", "two", "three"]) open(id);
    open("other", OTHER);
    await at.pool.endOtherSessions(OWNER, "two");
    expect(live()).toEqual(["other", "two"]);
    expect(at.onAccountChange.mock.calls).toEqual([[OWNER]]);
  });

  it("counts as live for half a minute after its last check, in its owner's tokens alone", async () => {
    open("one");
    expect(await isLive("one")).toBe(true);
    expect(await isLive("one", 3601)).toBe(false);
    expect(await isLive("one", 3600, OTHER)).toBe(false);
    expect(await isLive("none")).toBe(false);
    at.run(`UPDATE pool_sessions SET revoked_at = 1`);
    at.clock.now = NOW + 29_999;
    expect(await isLive("one")).toBe(true);
    expect(await at.pool.isSessionLive({ originJti: "one", userId: OWNER })).toBe(false);
    at.clock.now = NOW + 30_000;
    expect(await isLive("one")).toBe(false);
    at.run(`UPDATE pool_sessions SET revoked_at = NULL`);
    expect(await isLive("one")).toBe(true);
    expect(await at.pool.isSessionLive({ originJti: "one", userId: OWNER })).toBe(true);
    at.run(`UPDATE pool_users SET enabled = 0`);
    expect(await at.pool.isSessionLive({ originJti: "one", userId: OWNER })).toBe(false);
    // A clock that was set back does not make it live for longer.
    at.run(`UPDATE pool_sessions SET revoked_at = 1`);
    at.clock.now = NOW - 1;
    expect(await isLive("one")).toBe(false);
  });

  it("that was found dead does not come back with the clock", async () => {
    open("one");
    await isLive("one");
    at.run(`UPDATE pool_sessions SET revoked_at = 1`);
    at.clock.now = NOW - 1;
    expect(await isLive("one")).toBe(false);
    at.clock.now = NOW + 1;
    expect(await isLive("one")).toBe(false);
  });

  it("is checked anew once sessions are forgotten, or one was ended", async () => {
    open("one");
    open("two");
    await isLive("one");
    at.run(`UPDATE pool_sessions SET revoked_at = 1 WHERE origin_jti = 'one'`);
    expect(await isLive("one")).toBe(true);
    at.pool.forgetSessions();
    expect(await isLive("one")).toBe(false);
    await isLive("two");
    await at.pool.endSession({ originJti: "two", userId: OWNER });
    expect(await isLive("two")).toBe(false);
  });

  it("is seen again a quarter of an hour later, and not with every call", async () => {
    open("one", OWNER, { last_seen_at: NOW });
    const seen = async (now: number) => {
      at.clock.now = now;
      at.pool.forgetSessions();
      await isLive("one");
      return at.rows(`SELECT last_seen_at FROM pool_sessions`)[0]?.["last_seen_at"];
    };
    expect(await seen(NOW + 15 * 60_000 - 1)).toBe(NOW);
    expect(await seen(NOW + 15 * 60_000)).toBe(NOW + 15 * 60_000);
  });
});

it("notes an event with who caused it, where there is a log of them", async () => {
  const caller = { address: "192.0.2.1", device: { browser: "Edge", system: "Mac", country: "BR" } };
  await noteEvent({ ...at.context, ...caller }, "signed_out", OWNER);
  expect(at.note.mock.calls).toEqual([[{ event: "signed_out", account: OWNER, caller }]]);
  const { security: _none, ...quiet } = at.context;
  await noteEvent(quiet, "signed_out", OWNER);
  expect(at.note).toHaveBeenCalledTimes(1);
});
