import { expect, it } from "vitest";
import {
  claimNotice,
  findUndoableNotice,
  listUntoldNotices,
  type AccountNotice,
} from "../../db/queries/accounts/account-notices.ts";
import { undoAccountChange } from "../../db/queries/accounts/undo-change.ts";
import { changeFactors } from "../../db/queries/identity/factors.ts";
import { confirmPendingPhone } from "../../db/queries/identity/phone.ts";
import { addPoolSession, updatePoolUser, type PoolUser } from "../../db/queries/identity/pool-users.ts";
import { replacePassword } from "../../db/queries/identity/sessions.ts";
import type { PoolSession } from "../../db/queries/identity/pool-users.ts";
import { DAY_MS } from "../../db/shapes/units.ts";
import { NOW, openPool, OWNER, type Pool } from "./pool-harness.ts";

const HOME = "+15550100123";
const THIEFS = ["+15550100666", "+15550100667"];
const SEQUENCES = 10_000;

/** Numbers in [0, 1) from a seed (mulberry32), so that a sequence that fails can be run again. */
function rolls(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

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
    return { ...template, phoneNumber: phone_number, password, status };
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
    lastSeenAt: 0,
    browser: null,
    system: null,
    country: null,
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
    switch (Math.floor(roll() * 6)) {
      case 0: {
        await addPoolSession(db, session(), seen);
        return `${who} signs in`;
      }
      case 1: {
        if (!owns) return null;
        await replacePassword(db, { password, status: "CONFIRMED" }, { userId: OWNER, ...seen, now });
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

const template: PoolUser = {
  id: OWNER,
  phoneNumber: HOME,
  phoneVerified: true,
  pendingPhone: null,
  status: "CONFIRMED",
  enabled: true,
  password: "first",
  attributes: {},
  smsMfa: false,
  softwareTokenMfa: false,
  preferredMfa: null,
  totpSecret: null,
  totpPending: null,
  totpName: null,
  totpUsedStep: 0,
  createdAt: NOW,
};

it("ends within seven days with the oldest number, whatever owner and thief do in turns", async () => {
  const at = openPool();
  const { db } = at.deps;
  at.run(
    `INSERT INTO pool_users (id, phone_number, phone_verified, status, enabled, password, attributes, sms_mfa, software_token_mfa, totp_used_step, created_at)
     VALUES (?, ?, 1, 'CONFIRMED', 1, 'first', '{}', 0, 0, 0, ?)`,
    OWNER,
    HOME,
    NOW,
  );
  const seeds = Math.floor(Math.random() * 2 ** 31);
  for (let index = 0; index < SEQUENCES; index += 1) {
    const seed = seeds + index;
    const roll = rolls(seed);
    at.clock.now = NOW;
    for (const table of ["pool_notices", "pool_sessions", "account_changes"]) at.run(`DELETE FROM ${table}`);
    at.run(
      `UPDATE pool_users SET phone_number = ?, status = 'CONFIRMED', password = 'first', pending_phone = NULL`,
      HOME,
    );
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
      const after = { status, live: theft.liveSessions() };
      expect(after, `seed ${seed}: ${steps.join("; ")}`).toEqual({
        status: "RESET_REQUIRED",
        live: [],
      });
    }
  }
});

const lateSession: Omit<PoolSession, "createdAt" | "expiresAt"> = {
  originJti: "late",
  userId: OWNER,
  revokedAt: null,
  keyId: null,
  generation: 0,
  rotatedAt: 0,
  lastSeenAt: 0,
  browser: null,
  system: null,
  country: null,
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
  return at;
}

it("uses up the later links of others where the owner returns to the number by changing it", async () => {
  const at = openLinks();
  const change = { userId: OWNER, phoneNumber: HOME, keep: "s", now: NOW };
  expect(await confirmPendingPhone(at.deps.db, change)).toBe(true);
  expect(at.rows(`SELECT id FROM pool_notices`)).toEqual([{ id: "owners" }]);
});

it("stops texts to another number, which whoever had the account may have proved", async () => {
  const at = openLinks();
  at.run(
    `INSERT INTO users (id, phone_number, preferred_phone_number, preferred_phone_verified, name, language, mode, switched_on, waiting_for_spot, referral, human_timezone, proxy_installed, revision, created_at)
     VALUES (?, ?, ?, 1, 'Ana', 'en', 'lucrative', 0, 0, 'jornada', 'UTC', 0, 1, 0)`,
    OWNER,
    HOME,
    THIEFS[1] ?? "",
  );
  const notice = await findUndoableNotice(at.deps.db, "owners", NOW);
  expect(notice && (await undoAccountChange(at.deps.db, notice, NOW))).toBe("undone");
  expect(at.rows(`SELECT preferred_phone_number, preferred_phone_verified FROM users`)).toEqual([
    { preferred_phone_number: THIEFS[1], preferred_phone_verified: 0 },
  ]);
});
