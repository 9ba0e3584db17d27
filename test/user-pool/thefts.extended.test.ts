import { expect, it } from "vitest";
import {
  claimNotice,
  findUndoableNotice,
  listUntoldNotices,
  type AccountNotice,
} from "../../db/queries/accounts/account-notices.ts";
import { undoAccountChange } from "../../db/queries/accounts/undo-change.ts";
import { addPasskey, listPasskeys, type Passkey } from "../../db/queries/identity/passkeys.ts";
import { changeFactors } from "../../db/queries/identity/factors.ts";
import { confirmPendingPhone } from "../../db/queries/identity/phone.ts";
import { addPoolSession } from "../../db/queries/identity/pool-sessions.ts";
import { addPoolUser, updatePoolUser, type PoolUser } from "../../db/queries/identity/pool-users.ts";
import { replacePassword } from "../../db/queries/identity/sessions.ts";
import type { PoolSession } from "../../db/queries/identity/pool-sessions.ts";
import { DAY_MS } from "../../db/shapes/units.ts";
import { endPasskey, findRecoveryBefore, undoRecovery } from "../../worker/identity/passkeys/passkeys.ts";
import { NOW, openPool, OWNER, type Pool } from "./pool-harness.ts";
import { countOf } from "../support/draws.ts";
import { poolUser } from "../support/pool-user.ts";
import { RUN_SEED } from "../support/run-seed.ts";
import { seededRolls } from "../support/seeded-rolls.ts";
import { driverInsert } from "../support/driver-insert.ts";

const HOME = "+15550100123";
const UNTOUCHED = poolUser({ id: OWNER, phoneNumber: HOME, password: "first", createdAt: NOW });
const THIEFS = ["+15550100666", "+15550100667"];
const SEQUENCES = countOf({ whole: 10_000, usual: 600 });
const SWAPS = countOf({ whole: 1_000, usual: 100 });

/** A passkey of whoever it is named for. */
const passkeyOf = (who: "owner" | "thief", id: string, createdAt: number): Passkey => ({
  id,
  userId: OWNER,
  credentialId: id,
  publicKey: "",
  counter: 0,
  transports: [],
  name: who,
  createdAt,
  lastUsedAt: null,
  removedAt: null,
});

/** The passkey that the owner has had for a month. */
const OLD_PASSKEY = "old";
const ADD_PASSKEY = `INSERT INTO pool_passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
  VALUES ('old', ?, 'old', '', 0, '[]', 'owner', ?)`;

/** An account that two people hold: each has numbers, and what was texted to them. */
function openTheft(at: Pool, roll: () => number) {
  const { db } = at.deps;
  let made = 0;
  /** The account as somebody saw it who began a change, which may end on another one. */
  let begun: PoolUser | null = null;
  const passwords = new Map<string, "owner" | "thief">();
  const one = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(roll() * items.length)];
  const account = (): PoolUser => {
    const [row] = at.rows(`SELECT * FROM pool_users WHERE id = ?`, OWNER);
    const { phone_number, password, status } = Object(row);
    return { ...UNTOUCHED, phoneNumber: phone_number, password, status };
  };
  const links = (numbers: readonly string[]) =>
    at
      .rows(`SELECT token_hash, phone_number FROM pool_notices WHERE user_id = ? ORDER BY changed_at`, OWNER)
      .flatMap(({ token_hash, phone_number }) =>
        numbers.includes(String(phone_number)) && token_hash !== null ? [String(token_hash)] : [],
      );
  const liveSessions = () =>
    at
      .rows(`SELECT origin_jti FROM pool_sessions WHERE user_id = ? AND revoked_at IS NULL`, OWNER)
      .map(({ origin_jti }) => String(origin_jti));
  const session = (): PoolSession => ({
    originJti: `s${(made += 1)}`,
    userId: OWNER,
    createdAt: at.clock.now,
    expiresAt: at.clock.now + 30 * DAY_MS,
    revokedAt: null,
    keyId: null,
    generation: 0,
    rotatedAt: 0,
    renewalHash: null,
    lastSeenAt: 0,
    browser: null,
    system: null,
    country: null,
    passkeyId: null,
  });
  const text = async () => {
    for (const { id } of await listUntoldNotices(db, OWNER))
      await claimNotice(db, { id, now: at.clock.now, tokenHash: `t${(made += 1)}` });
  };
  const follow = async (tokenHash: string | undefined): Promise<boolean> => {
    const notice = tokenHash === undefined ? null : await findUndoableNotice(db, tokenHash, at.clock.now);
    return notice !== null && (await undoAccountChange(db, notice, at.clock.now)) === "undone";
  };
  let opened: AccountNotice | null = null;
  /** Null if they can't do now what the roll says. */
  const step = async (who: "owner" | "thief"): Promise<string | null> => {
    at.clock.now += Math.ceil(roll() * 7_000_000);
    const numbers = who === "owner" ? [HOME] : THIEFS;
    const seen = begun !== null && roll() < 0.3 ? begun : account();
    begun = roll() < 0.3 ? account() : begun;
    const now = at.clock.now;
    const own = liveSessions();
    const password = `p${(made += 1)} ${who}`;
    const owns = numbers.includes(seen.phoneNumber);
    switch (Math.floor(roll() * 8)) {
      case 0: {
        const passkey = one((await listPasskeys(db, OWNER)).filter(({ name }) => name === who));
        const passkeyId = roll() < 0.5 ? (passkey?.id ?? null) : null;
        await addPoolSession(db, { ...session(), passkeyId }, seen);
        return `${who} signs in by ${passkeyId === null ? "password" : "passkey"}`;
      }
      case 6: {
        const originJti = one(own);
        if (originJti === undefined) return null;
        const passkey = passkeyOf(who, `k${(made += 1)}`, now);
        await addPasskey(db, passkey, { user: seen, originJti, now, limit: 10 });
        return `${who} adds a passkey`;
      }
      case 7: {
        const originJti = one(own);
        const passkey = one(await listPasskeys(db, OWNER));
        if (originJti === undefined) return null;
        if (passkey === undefined || roll() < 0.3)
          return `${who} undoes a recovery: ${await undoRecovery(at.context, { userId: OWNER, originJti })}`;
        const result = await endPasskey(at.context, { userId: OWNER, originJti }, { id: passkey.id });
        return `${who} removes the passkey ${passkey.id}: ${result}`;
      }
      case 1: {
        if (!owns) return null;
        const end = { userId: OWNER, ...seen, now, kind: "recovery" } as const;
        await replacePassword(db, { password, status: "CONFIRMED" }, end);
        passwords.set(password, who);
        return `${who} resets the password`;
      }
      case 2: {
        const keep = one(own);
        if (keep === undefined) return null;
        await replacePassword(db, { password }, { userId: OWNER, ...seen, now, keep });
        passwords.set(password, who);
        return `${who} changes the password`;
      }
      case 3: {
        const keep = one(own);
        const phoneNumber = one(numbers);
        if (keep === undefined || phoneNumber === undefined || phoneNumber === account().phoneNumber)
          return null;
        await updatePoolUser(db, OWNER, { pendingPhone: phoneNumber });
        if (roll() < 0.3) return `${who} asks for the number ${phoneNumber}`;
        await confirmPendingPhone(db, { userId: OWNER, phoneNumber, keep, now });
        return `${who} changes the number to ${phoneNumber}`;
      }
      case 4: {
        if (own.length === 0) return null;
        await changeFactors(db, seen, { smsMfa: roll() < 0.5 }, now);
        return `${who} changes factors`;
      }
      default: {
        // A link that was opened before may be used only now.
        const tokenHash = one(links(numbers));
        if (tokenHash === undefined && opened === null) return null;
        if (who === "thief" && opened !== null && roll() < 0.3)
          return `the thief undoes with an opened link: ${await undoAccountChange(db, opened, now)}`;
        if (who === "thief" && tokenHash !== undefined && roll() < 0.3)
          opened = await findUndoableNotice(db, tokenHash, now);
        return `${who} undoes: ${await follow(tokenHash)}`;
      }
    }
  };
  return { account, follow, links, liveSessions, step, text, seen: () => begun, opened: () => opened };
}

/** The account as its owner had it, with the passkey of a month ago and nothing of an earlier sequence. */
function giveBack(at: Pool): void {
  at.clock.now = NOW;
  for (const table of ["pool_notices", "pool_sessions", "pool_passkeys", "account_changes"])
    at.run(`DELETE FROM ${table}`);
  at.run(ADD_PASSKEY, OWNER, NOW - 30 * DAY_MS);
  at.run(
    `UPDATE pool_users SET phone_number = ?, status = 'CONFIRMED', password = 'first', pending_phone = NULL`,
    HOME,
  );
}

it("ends within seven days with the oldest number, whatever owner and thief do in turns", async () => {
  const at = openPool();
  const { db } = at.deps;
  await addPoolUser(db, UNTOUCHED);
  const seeds = RUN_SEED;
  for (let index = 0; index < SEQUENCES; index += 1) {
    const seed = seeds + index;
    const roll = seededRolls(seed);
    giveBack(at);
    const theft = openTheft(at, roll);
    const steps: string[] = [];
    const length = 3 + Math.floor(roll() * 4);
    while (steps.length < length) {
      const step = await theft.step(roll() < 0.25 ? "owner" : "thief");
      if (step === null) continue;
      steps.push(step);
      if (roll() < 0.8) await theft.text();
    }
    await theft.text();
    const [oldest] = theft.links([HOME]);
    const isUndone = await theft.follow(oldest);
    // The thief's earlier requests end only now.
    const seen = theft.seen();
    const opened = theft.opened();
    const now = (at.clock.now += 1);
    if (isUndone && opened) await undoAccountChange(db, opened, now);
    if (isUndone && seen !== null && THIEFS.includes(seen.phoneNumber)) {
      await replacePassword(db, { password: "late", status: "CONFIRMED" }, { userId: OWNER, ...seen, now });
      await changeFactors(db, seen, { smsMfa: true }, now);
      await addPoolSession(db, { ...lateSession, createdAt: now, expiresAt: now + DAY_MS }, seen);
    }
    const { phoneNumber, status, password } = theft.account();
    const told = at
      .rows(`SELECT phone_number FROM pool_notices`)
      .filter((row) => row["phone_number"] !== HOME);
    const end = { phoneNumber, isLate: password === "late", toldToThief: isUndone ? told : [] };
    expect(end, `seed ${seed}: ${steps.join("; ")}`).toEqual({
      phoneNumber: HOME,
      isLate: false,
      toldToThief: [],
    });
    if (isUndone) {
      const passkeys = (await listPasskeys(db, OWNER)).map(({ name }) => name);
      const after = { status, live: theft.liveSessions(), passkeys };
      expect(after, `seed ${seed}: ${steps.join("; ")}`).toEqual({
        status: "RESET_REQUIRED",
        live: [],
        passkeys: passkeys.map(() => "owner"),
      });
      expect(passkeys.length, `seed ${seed}: ${steps.join("; ")}`).toBeGreaterThan(0);
    }
  }
});

/** A thief has the number, and with it every text, but neither password nor tokens; the owner has a passkey alone. */
function openSwap(at: Pool, roll: () => number) {
  const { db } = at.deps;
  const { context } = at;
  const one = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(roll() * items.length)];
  let made = 0;
  const account = (): PoolUser => {
    const [row] = at.rows(`SELECT * FROM pool_users WHERE id = ?`, OWNER);
    const { phone_number, password, status } = Object(row);
    return { ...UNTOUCHED, phoneNumber: phone_number, password, status };
  };
  const sessionsOf = (who: "owner" | "thief") =>
    at
      .rows(`SELECT origin_jti FROM pool_sessions WHERE revoked_at IS NULL AND origin_jti LIKE ?`, `${who}%`)
      .map(({ origin_jti }) => String(origin_jti));
  const signIn = async (who: "owner" | "thief", passkeyId: string | null) => {
    const now = at.clock.now;
    const originJti = `${who} ${(made += 1)}`;
    const session = { ...lateSession, originJti, passkeyId, createdAt: now, expiresAt: now + 30 * DAY_MS };
    await addPoolSession(db, session, account());
    return { userId: OWNER, originJti };
  };
  /** Null if the thief can't do now what the roll says. */
  const steal = async (): Promise<string | null> => {
    const now = at.clock.now;
    const originJti = one(sessionsOf("thief"));
    switch (Math.floor(roll() * 7)) {
      case 0: {
        const end = { userId: OWNER, ...account(), now, kind: "recovery" } as const;
        await replacePassword(db, { password: "thief's", status: "CONFIRMED" }, end);
        return "resets the password";
      }
      case 1: {
        const { password, status } = account();
        if (password !== "thief's" || status !== "CONFIRMED") return null;
        await signIn("thief", null);
        return "signs in";
      }
      case 2: {
        const passkey = one((await listPasskeys(db, OWNER)).filter(({ name }) => name === "thief"));
        if (!passkey) return null;
        await signIn("thief", passkey.id);
        return "signs in by passkey";
      }
      case 3: {
        if (originJti === undefined) return null;
        const passkey = passkeyOf("thief", `k${(made += 1)}`, now);
        await addPasskey(db, passkey, { user: account(), originJti, now, limit: 10 });
        return "adds a passkey";
      }
      case 4: {
        const passkey = one(await listPasskeys(db, OWNER));
        if (originJti === undefined || !passkey) return null;
        return `removes ${passkey.id}: ${await endPasskey(context, { userId: OWNER, originJti }, { id: passkey.id })}`;
      }
      case 5: {
        const phoneNumber = one([HOME, ...THIEFS]);
        if (originJti === undefined || phoneNumber === undefined || phoneNumber === account().phoneNumber)
          return null;
        await updatePoolUser(db, OWNER, { pendingPhone: phoneNumber });
        await confirmPendingPhone(db, { userId: OWNER, phoneNumber, keep: originJti, now });
        return `changes the number to ${phoneNumber}`;
      }
      default: {
        const row = one(at.rows(`SELECT token_hash FROM pool_notices WHERE token_hash IS NOT NULL`));
        const notice = row && (await findUndoableNotice(db, String(row["token_hash"]), now));
        return notice ? `undoes: ${await undoAccountChange(db, notice, now)}` : null;
      }
    }
  };
  const tell = async () => {
    for (const { id } of await listUntoldNotices(db, OWNER))
      await claimNotice(db, { id, now: at.clock.now, tokenHash: `t${(made += 1)}` });
  };
  /** The owner takes the account back with the passkey of a month ago, which is all that is left to them. */
  const takeBack = async () => {
    const [row] = at.rows(`SELECT * FROM pool_passkeys WHERE id = ?`, OLD_PASSKEY);
    const passkey = { ...passkeyOf("owner", OLD_PASSKEY, Number(row?.["created_at"])) };
    const removedAt = row?.["removed_at"];
    if (typeof removedAt === "number") {
      const recovery = await findRecoveryBefore(context, { ...passkey, removedAt });
      if (recovery) await undoAccountChange(db, recovery, at.clock.now);
    }
    return undoRecovery(context, await signIn("owner", OLD_PASSKEY));
  };
  return { account, sessionsOf, steal, tell, takeBack };
}

it("ends within seven days with whoever has a passkey, whatever a thief does who has the number", async () => {
  const at = openPool();
  const { db } = at.deps;
  await addPoolUser(db, UNTOUCHED);
  const seeds = RUN_SEED;
  let removals = 0;
  // Until some of them have waited for a day and removed the owner's.
  for (let index = 0; index < SWAPS || removals === 0; index += 1) {
    const seed = seeds + index;
    const roll = seededRolls(seed);
    giveBack(at);
    const swap = openSwap(at, roll);
    const steps: string[] = [];
    const length = 3 + Math.floor(roll() * 7);
    for (let tries = 0; steps.length < length && tries < 60; tries += 1) {
      // Ten of them stay within a week.
      const wait = Math.ceil(roll() * 0.65 * DAY_MS);
      const step = await swap.steal();
      if (step === null) continue;
      if (step.endsWith("removed")) removals += 1;
      steps.push(step);
      at.clock.now += wait;
      await swap.tell();
      if (roll() < 0.1) steps.push(`the owner takes it back: ${await swap.takeBack()}`);
      at.clock.now += 1;
    }
    await swap.takeBack();
    const passkeys = await listPasskeys(db, OWNER);
    const end = {
      phoneNumber: swap.account().phoneNumber,
      passkeys: passkeys.map(({ name }) => name),
      thief: swap.sessionsOf("thief"),
      isOwnerIn: swap.sessionsOf("owner").length > 0,
    };
    expect(end, `seed ${seed}: ${steps.join("; ")}`).toEqual({
      phoneNumber: HOME,
      passkeys: ["owner"],
      thief: [],
      isOwnerIn: true,
    });
  }
});

const lateSession: Omit<PoolSession, "createdAt" | "expiresAt"> = {
  originJti: "late",
  userId: OWNER,
  revokedAt: null,
  keyId: null,
  generation: 0,
  rotatedAt: 0,
  renewalHash: null,
  lastSeenAt: 0,
  browser: null,
  system: null,
  country: null,
  passkeyId: null,
};

/** An account with the thief's link of today and its owner's of before. */
function openLinks() {
  const at = openPool();
  at.run(
    `INSERT INTO pool_users (id, phone_number, phone_verified, pending_phone, status, enabled, password, attributes, sms_mfa, software_token_mfa, totp_used_step, created_at)
     VALUES (?, ?, 1, ?, 'CONFIRMED', 1, 'first', '{}', 0, 0, 0, ?)`,
    OWNER,
    THIEFS[0] ?? "",
    HOME,
    NOW,
  );
  const notice = (id: string, phoneNumber: string, changedAt: number) =>
    at.run(
      `INSERT INTO pool_notices VALUES (?, ?, 'phone', ?, 'en', ?, ?, ?, ?)`,
      id,
      OWNER,
      phoneNumber,
      changedAt,
      changedAt + 7 * DAY_MS,
      changedAt,
      id,
    );
  notice("owners", HOME, NOW - DAY_MS);
  notice("thiefs", THIEFS[0] ?? "", NOW - 1);
  at.run(
    `INSERT INTO pool_sessions (origin_jti, user_id, created_at, expires_at) VALUES ('s', ?, 0, 0)`,
    OWNER,
  );
  return at;
}

it("uses up the later links of others where the owner returns to the number by changing it", async () => {
  const at = openLinks();
  const change = { userId: OWNER, phoneNumber: HOME, keep: "s", now: NOW };
  expect(await confirmPendingPhone(at.deps.db, change)).toBe("confirmed");
  expect(at.rows(`SELECT id FROM pool_notices`)).toEqual([{ id: "owners" }]);
});

it("stops texts to another number, which whoever had the account may have proved", async () => {
  const at = openLinks();
  const { query, values } = driverInsert({
    id: OWNER,
    phoneNumber: HOME,
    preferredPhoneNumber: THIEFS[1] ?? "",
    preferredPhoneVerified: true,
  });
  at.run(query, ...values);
  const notice = await findUndoableNotice(at.deps.db, "owners", NOW);
  expect(notice && (await undoAccountChange(at.deps.db, notice, NOW))).toBe("undone");
  expect(at.rows(`SELECT preferred_phone_number, preferred_phone_verified FROM users`)).toEqual([
    { preferred_phone_number: THIEFS[1], preferred_phone_verified: 0 },
  ]);
});
