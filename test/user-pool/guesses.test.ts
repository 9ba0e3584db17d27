import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import {
  beginGuess,
  beginSignIn,
  forgetCodeGuesses,
  isUnderGuessing,
  noteWrongCode,
  type GuessTarget,
} from "../../worker/identity/accounts/guesses.ts";
import { replacePassword } from "../../db/queries/identity/sessions.ts";
import { DEFAULT_LIMITS } from "../../worker/identity/pool-context.ts";
import { cognitoErrors, type CognitoError } from "../../worker/identity/protocol/errors.ts";
import { NOW, openPool, OWNER, PHONE, type Pool } from "./pool-harness.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

let at: Pool;
let warned: [id: string, until: number][];
/** A pool in which so many wrong guesses lock. */
const open = (free: number) =>
  openPool({
    limits: { guesses: { ...DEFAULT_LIMITS.guesses, free } },
    onGuessLock: async (...told) => void warned.push(told),
  });
beforeEach(() => {
  warned = [];
  at = open(20);
});

const MARK = "k5a17";
type GuessKind = GuessTarget["kind"];
/** The pool as a browser calls it that signed in to an account before, by its present password. */
const from = (...accounts: string[]) => ({
  ...at.context,
  browser: { id: "browser", accounts: accounts.map((sub) => ({ sub, mark: MARK })), isRenewed: false },
});
const guess = (kind: GuessKind, pool = at.context) => beginGuess(pool, { sub: OWNER, kind, mark: MARK });
/** Begins a sign-in, and takes its guess back. @returns the error while a lock lasts */
async function lockOfSignIn(pool: Pool["context"], sub: string): Promise<unknown> {
  const begun = await beginSignIn(pool, { sub, mark: MARK });
  if (begun.kind === "locked") return begun.error;
  await begun.unchecked();
  return null;
}
const wrongGuess = async (kind: GuessKind, pool = at.context) => (await guess(kind, pool)).wrong();
const counted = () => ({
  long: at.rows(`SELECT subject, wrong FROM guesses ORDER BY subject`),
  short: at.rows(`SELECT subject, failures FROM pool_attempts ORDER BY subject`),
});
const tally = (long: [string, number][], short: [string, number][]) => ({
  long: long.map(([subject, wrong]) => ({ subject, wrong })),
  short: short.map(([subject, failures]) => ({ subject, failures })),
});
const as = ({ type, message, retryAt }: CognitoError) => expect.objectContaining({ type, message, retryAt });
const lockedUntil = (until: number) => as(cognitoErrors.lockedOut(until));

it("that can't be counted is no lock: the call fails by what failed", async () => {
  const failed = new Error("no database");
  const db = new Proxy(at.context.db, {
    get: (own, name) => {
      if (name === "batch") return () => Promise.reject(failed);
      return Reflect.get(own, name, own);
    },
  });
  const account = { sub: OWNER, mark: MARK };
  await expect(beginSignIn({ ...at.context, db }, account)).rejects.toBe(failed);
});

describe("a guess", () => {
  const own = `${OWNER} browser ${MARK}`;
  it.each<[GuessKind, who: "stranger" | "owner", long: string, short: string[]]>([
    ["password", "stranger", OWNER, [OWNER]],
    ["password", "owner", own, [own]],
    ["software_token", "stranger", OWNER, [`totp ${OWNER}`]],
    ["software_token", "owner", own, [`totp ${own}`]],
    ["code", "stranger", OWNER, []],
    ["code", "owner", own, []],
    ["present_password", "stranger", `${OWNER} present`, [`change ${OWNER}`]],
    ["present_password", "owner", `${OWNER} present`, [`change ${OWNER}`]],
    ["passkey", "stranger", `${OWNER} passkey`, [`passkey ${OWNER}`]],
    ["passkey", "owner", `${OWNER} browser passkey`, [`passkey ${OWNER} browser`]],
  ])("at a %s counts by itself for a %s", async (kind, who, long, short) => {
    await guess(kind, who === "owner" ? from("another", OWNER) : from("another"));
    expect(counted()).toEqual(
      tally(
        [[long, 1]],
        short.map((subject) => [subject, 1]),
      ),
    );
  });

  it("that is wrong is noted, and told where it locks", async () => {
    at = open(2);
    await wrongGuess("password");
    expect([at.noted(), warned]).toEqual([["sign_in_failed"], []]);
    await wrongGuess("password");
    expect(at.noted()).toEqual(["sign_in_failed", "sign_in_failed", "locked"]);
    expect(warned).toEqual([[OWNER, NOW + HOUR_MS]]);
  });

  it("that is right takes itself back, and the short lock with it; strangers' guesses before it stay", async () => {
    await wrongGuess("password");
    await (await guess("password")).right();
    expect(counted()).toEqual(tally([[OWNER, 1]], []));
  });

  it("that is right in a known browser forgets all of that browser's, and no others", async () => {
    await wrongGuess("password");
    await wrongGuess("password", from(OWNER));
    await (await guess("password", from(OWNER))).right();
    expect(counted()).toEqual(tally([[OWNER, 1]], [[OWNER, 1]]));
  });

  it("at a code that is right stands in for the password", async () => {
    await wrongGuess("password");
    await (await guess("code")).right();
    expect(counted()).toEqual(tally([[OWNER, 1]], []));
  });

  it("that nobody checked is taken back", async () => {
    await wrongGuess("code");
    await (await guess("code")).unchecked();
    expect(counted()).toEqual(tally([[OWNER, 1]], []));
  });

  it("is refused while a short lock lasts, with its end; codes have none", async () => {
    for (let tries = 0; tries < 5; tries += 1) await wrongGuess("password");
    await expect(guess("password")).rejects.toEqual(lockedUntil(NOW + SECOND_MS));
    await expect(guess("code")).resolves.toHaveProperty("right");
    await expect(guess("password", from(OWNER))).resolves.toHaveProperty("right");
    at.clock.now += SECOND_MS;
    await expect(guess("password")).resolves.toHaveProperty("right");
  });

  it.each([
    [15 * MINUTE_MS - 1, false],
    [15 * MINUTE_MS, true],
  ])("after a pause of %i ms begins a short lock's count anew: %s", async (pause, isAnew) => {
    for (let tries = 0; tries < 4; tries += 1) await wrongGuess("password");
    at.clock.now += pause;
    await wrongGuess("password");
    const next = await guess("password").catch(() => null);
    expect(next !== null).toBe(isAnew);
  });

  it("is refused while a long lock lasts, with its end, and in the caller's words", async () => {
    at = open(1);
    await wrongGuess("code");
    await expect(guess("code")).rejects.toEqual(lockedUntil(NOW + HOUR_MS));
    await expect(guess("password")).rejects.toEqual(lockedUntil(NOW + HOUR_MS));
    await expect(
      beginGuess(at.context, { sub: OWNER, kind: "code", mark: MARK }, cognitoErrors.limitExceeded),
    ).rejects.toEqual(as(cognitoErrors.limitExceeded(NOW + HOUR_MS)));
    at.clock.now += HOUR_MS;
    await expect(guess("code")).resolves.toHaveProperty("right");
  });
});

describe("a sign-in", () => {
  it("is refused while either lock lasts, until the later one ends", async () => {
    for (let tries = 0; tries < 5; tries += 1) await wrongGuess("password");
    expect(await lockOfSignIn(at.context, OWNER)).toEqual(lockedUntil(NOW + SECOND_MS));
    expect(await lockOfSignIn(from(OWNER), OWNER)).toBeNull();
    at = open(5);
    for (let tries = 0; tries < 5; tries += 1) await wrongGuess("password");
    expect(await lockOfSignIn(at.context, OWNER)).toEqual(lockedUntil(NOW + HOUR_MS));
    at.clock.now += HOUR_MS;
    expect(await lockOfSignIn(at.context, OWNER)).toBeNull();
  });

  it("waits for no lock once the password was set anew", async () => {
    at = open(5);
    for (let tries = 0; tries < 5; tries += 1) await wrongGuess("password");
    const unlock = [OWNER];
    const end = { userId: OWNER, phoneNumber: PHONE, now: NOW };
    expect(await replacePassword(at.deps.db, { password: "new" }, end, { unlock })).toBe(false);
    expect(counted()).not.toEqual(tally([], []));
    at.run(
      `INSERT INTO pool_users (id, phone_number, phone_verified, password, attributes, status, enabled, created_at,
         sms_mfa, software_token_mfa, totp_used_step) VALUES (?, ?, 1, 'old', '{}', 'CONFIRMED', 1, 0, 0, 0, 0)`,
      OWNER,
      PHONE,
    );
    expect(await replacePassword(at.deps.db, { password: "new" }, end, { unlock })).toBe(true);
    expect(counted()).toEqual(tally([], []));
  });
});

describe("a wrong code", () => {
  const key = (purpose: "reset" | "sign_in" | "sign_up" | "phone_number" | "preferred_phone") => ({
    userId: OWNER,
    purpose,
  });

  it.each(["reset", "sign_in"] as const)(
    "of the purpose %s counts for the account, which it may lock",
    async (purpose) => {
      at = open(2);
      await noteWrongCode(at.context, key(purpose), PHONE);
      expect([at.noted(), warned]).toEqual([["code_failed"], []]);
      await noteWrongCode(at.context, key(purpose), PHONE);
      expect(counted().long).toEqual([{ subject: OWNER, wrong: 2 }]);
      expect(at.noted()).toEqual(["code_failed", "code_failed", "locked"]);
      expect(warned).toEqual([[OWNER, NOW + HOUR_MS]]);
    },
  );

  it.each(["sign_up", "phone_number", "preferred_phone"] as const)(
    "of the purpose %s counts for its number, which is not stored, and locks nobody",
    async (purpose) => {
      at = open(1);
      await noteWrongCode(at.context, key(purpose), PHONE);
      await noteWrongCode(at.context, key(purpose), PHONE);
      await noteWrongCode(at.context, key(purpose), "+15550100124");
      const { long } = counted();
      expect(long.map(({ wrong }) => wrong).toSorted()).toEqual([1, 2]);
      for (const { subject } of long) expect(subject).toMatch(/^number [0-9a-f]{64}$/);
      expect([at.noted(), warned]).toEqual([["code_failed", "code_failed", "code_failed"], []]);
    },
  );

  it("makes the next ones long after so many, until the number is proved", async () => {
    at = open(2);
    const proves = key("sign_up");
    const isLong = async () => {
      const condition = await isUnderGuessing(at.context, proves, PHONE);
      const [row] = await at.deps.db.select({ isLong: sql`${condition}` }).from(sql`(SELECT 1)`);
      return row?.isLong === 1;
    };
    await noteWrongCode(at.context, proves, PHONE);
    expect(await isLong()).toBe(false);
    await noteWrongCode(at.context, proves, PHONE);
    expect(await isLong()).toBe(true);
    await forgetCodeGuesses(at.context, proves, PHONE);
    expect(await isLong()).toBe(false);
  });
});
