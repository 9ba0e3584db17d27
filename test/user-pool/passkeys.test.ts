import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { driverId } from "../../db/shapes/units.ts";
import { makeUndoToken } from "../../worker/identity/accounts/undo.ts";
import { newCredential } from "../../worker/identity/passkeys/webauthn.ts";
import {
  createAuthenticator,
  type Authenticator,
  type Deviation,
} from "../support/software-authenticator.ts";
import { openMember, type Member } from "./member.ts";
import { PASSWORD, PHONE } from "./pool-harness.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WRONG = "NotAuthorizedException: Incorrect username or password.";

let at: Member;
beforeEach(() => {
  at = openMember({ settings: { secondFactors: false } });
});

const asked = z.object({
  Session: z.string(),
  ChallengeName: z.literal("CUSTOM_CHALLENGE"),
  ChallengeParameters: z.object({ USERNAME: z.literal("passkey"), WEBAUTHN_OPTIONS: z.string() }),
});

const userId = () => driverId.parse(at.sub);
const sessionOf = (IdToken: unknown) =>
  String(Object(JSON.parse(atob(String(IdToken).split(".")[1] ?? "")))["origin_jti"]);
const member = () => ({ userId: userId(), originJti: sessionOf(at.IdToken) });

/** Starts a sign-in by passkey. */
async function ask() {
  const { answer } = await at.call("InitiateAuth", {
    AuthFlow: "CUSTOM_AUTH",
    AuthParameters: { USERNAME: "passkey" },
  });
  const { Session, ChallengeName, ChallengeParameters } = asked.parse(answer);
  return { Session, ChallengeName, options: JSON.parse(ChallengeParameters.WEBAUTHN_OPTIONS) };
}

/** Answers it. @returns the tokens, or type and message of the error */
async function answerWith(
  { Session, ChallengeName }: { Session: string; ChallengeName: string },
  ANSWER: unknown,
  ClientMetadata?: Record<string, string>,
) {
  const { status, answer } = await at.call("RespondToAuthChallenge", {
    ChallengeName,
    Session,
    ChallengeResponses: { USERNAME: "passkey", ANSWER: JSON.stringify(ANSWER) },
    ...(ClientMetadata ? { ClientMetadata } : {}),
  });
  return status === 200
    ? { originJti: sessionOf(Object(answer["AuthenticationResult"]).IdToken), userId: userId() }
    : `${answer["__type"]}: ${answer["message"]}`;
}

async function signInWith(
  device: Authenticator,
  change: Deviation = {},
  ClientMetadata?: Record<string, string>,
) {
  const challenge = await ask();
  return answerWith(challenge, await device.sign(challenge.options, change), ClientMetadata);
}

async function offered(caller = member()) {
  const offer = await at.pool.offerPasskey(caller, "Ana");
  if (typeof offer === "string") throw new Error(offer);
  return offer;
}

async function addWith(device: Authenticator, change: Deviation = {}, caller = member()) {
  const { options, ticket } = await offered(caller);
  const credential = newCredential.parse(await device.create(options, change));
  return at.pool.acceptPasskey(caller, { ticket, credential, name: "Pixel" });
}

/** Adds a passkey. @returns its authenticator and its id */
async function enroll() {
  const device = await createAuthenticator();
  const added = await addWith(device);
  if (typeof added === "string") throw new Error(added);
  at.clock.now += MINUTE_MS;
  return { device, id: added.id };
}

/** Resets the password by a texted code, and signs in with it. */
async function recover(password = "Another-2-word") {
  at.clock.now += HOUR_MS;
  await at.call("ForgotPassword", { Username: PHONE });
  const reset = { Username: PHONE, ConfirmationCode: at.code(), Password: password };
  expect((await at.call("ConfirmForgotPassword", reset)).status).toBe(200);
  at.clock.now += 1000;
  const { AuthenticationResult } = Object(await at.signIn(password));
  return { userId: userId(), originJti: sessionOf(AuthenticationResult.IdToken) };
}

const live = () =>
  at.rows(`SELECT origin_jti AS id FROM pool_sessions WHERE revoked_at IS NULL`).map(({ id }) => id);
const status = () => at.row()?.["status"];
const names = async (caller = member()) =>
  (await at.pool.viewPasskeys(caller)).passkeys.map(({ name }) => name);

describe("a passkey", () => {
  it("is asked for without naming an account, verified, for this host", async () => {
    const { options } = await ask();
    expect(options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: "jornada.test",
      timeout: 5 * MINUTE_MS,
      userVerification: "required",
      allowCredentials: [],
    });
    expect((await ask()).options.challenge).not.toBe(options.challenge);
  });

  it("is made for this account and host, discoverable and verified, and signs in afresh", async () => {
    const { options } = await offered();
    expect(options).toMatchObject({
      rp: { id: "jornada.test", name: "jornada.test" },
      user: { name: PHONE, displayName: "Ana" },
      attestation: "none",
      excludeCredentials: [],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    expect(atob(options.user.id.replaceAll("-", "+").replaceAll("_", "/"))).toBe(at.sub);
    const { device, id } = await enroll();
    expect((await offered()).options.excludeCredentials).toEqual([
      { type: "public-key", id: device.credentialId, transports: ["internal"] },
    ]);
    at.note.mockClear();
    at.clock.now += DAY_MS;
    const session = await signInWith(device);
    expect(session).toEqual({ userId: at.sub, originJti: expect.any(String) });
    expect(at.noted()).toEqual(["sign_in"]);
    const signedIn = at.rows(
      `SELECT passkey_id, created_at FROM pool_sessions ORDER BY created_at DESC LIMIT 1`,
    );
    expect(signedIn).toEqual([{ passkey_id: id, created_at: at.clock.now }]);
    expect(await at.pool.viewPasskeys(session as ReturnType<typeof member>)).toEqual({
      passkeys: [expect.objectContaining({ id, name: "Pixel", lastUsedAt: at.clock.now, counter: 1 })],
      current: id,
      removableFrom: null,
      recoveredAt: null,
    });
  });

  it.each<[string, Deviation]>([
    ["another origin", { origin: "https://jornada.example" }],
    ["another host's relying party", { rpId: "example.com" }],
    ["another challenge", { challenge: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
    ["no finger or PIN", { isUnverified: true }],
    ["another ceremony", { type: "webauthn.other" }],
  ])("is neither added nor signs in with %s", async (_name, change) => {
    const device = await createAuthenticator();
    expect(await addWith(device, change)).toBe("refused");
    const { device: known } = await enroll();
    at.note.mockClear();
    expect(await signInWith(known, change)).toBe(WRONG);
    expect(at.noted()).toEqual(["sign_in_failed"]);
    expect(await signInWith(known)).toMatchObject({ userId: at.sub });
  });

  it.each<[string, Deviation]>([
    ["another key", { isForged: true }],
    ["another account's handle", { userHandle: "AAAA" }],
    ["no handle", { userHandle: null }],
    ["a count that it showed before", { counter: 1 }],
    ["a count of zero after others", { counter: 0 }],
  ])("signs in with no signature by %s", async (_name, change) => {
    const { device } = await enroll();
    expect(await signInWith(device)).toMatchObject({ userId: at.sub });
    expect(await signInWith(device, change)).toBe(WRONG);
    expect(at.rows(`SELECT counter FROM pool_passkeys`)).toEqual([{ counter: 1 }]);
  });

  it("that doesn't count signs in again and again", async () => {
    const { device } = await enroll();
    for (let time = 0; time < 3; time += 1)
      expect(await signInWith(device, { counter: 0 })).toMatchObject({ userId: at.sub });
  });

  it("signs each challenge once, within five minutes, and a wrong answer uses it up", async () => {
    const { device } = await enroll();
    const challenge = await ask();
    const signed = await device.sign(challenge.options);
    expect(await answerWith(challenge, signed)).toMatchObject({ userId: at.sub });
    expect(await answerWith(challenge, signed)).toContain("session can only be used once");
    const spoilt = await ask();
    expect(await answerWith(spoilt, "nothing")).toBe(WRONG);
    expect(await answerWith(spoilt, await device.sign(spoilt.options))).toContain("can only be used once");
    const late = await ask();
    at.clock.now += 5 * MINUTE_MS;
    expect(await answerWith(late, await device.sign(late.options))).toContain("session is expired");
    const punctual = await ask();
    at.clock.now += 5 * MINUTE_MS - 1;
    expect(await answerWith(punctual, await device.sign(punctual.options))).toMatchObject({ userId: at.sub });
  });

  it("that nobody added gets the answer of a wrong one", async () => {
    const stranger = await createAuthenticator();
    await stranger.create((await offered()).options);
    expect(await signInWith(stranger)).toBe(WRONG);
    expect(at.noted()).toEqual([]);
  });

  it("is kept out by no guesses at the password, but by wrong signatures of its own", async () => {
    const { device } = await enroll();
    for (let guess = 0; guess < 6; guess += 1) await at.signIn("Wrong-1-password");
    expect(await at.signIn()).toMatchObject({ message: "Password attempts exceeded" });
    expect(await signInWith(device)).toMatchObject({ userId: at.sub });
    const answers = [];
    for (let guess = 0; guess < 6; guess += 1) answers.push(await signInWith(device, { isForged: true }));
    expect(answers.at(-1)).toContain("Password attempts exceeded");
    expect(await signInWith(device)).toContain("Password attempts exceeded");
  });

  it("opens no account that an operator disabled, nor one that is gone", async () => {
    const { device } = await enroll();
    at.run(`UPDATE pool_users SET enabled = 0`);
    expect(await signInWith(device)).toBe("NotAuthorizedException: User is disabled.");
    at.run(`UPDATE pool_users SET enabled = 1`);
    expect(await at.ask("DeleteUser")).toEqual({});
    expect(at.rows(`SELECT id FROM pool_passkeys`)).toEqual([]);
    expect(await signInWith(device)).toBe(WRONG);
  });

  it("needs no second factor beside it, and no text alone opens an account that has one", async () => {
    const { device } = await enroll();
    const start = { AuthFlow: "CUSTOM_AUTH", AuthParameters: { USERNAME: PHONE } };
    const { answer } = await at.call("InitiateAuth", start);
    at.clock.now += 1;
    expect(await at.respond(answer, { ANSWER: at.code() })).toMatchObject({
      __type: "NotAuthorizedException",
      message: "Incorrect username or password.",
    });
    const strict = openMember();
    at = strict;
    const guarded = await enroll();
    strict.run(`UPDATE pool_users SET sms_mfa = 1`);
    expect(await signInWith(guarded.device)).toMatchObject({ userId: strict.sub });
    expect(device.credentialId).not.toBe(guarded.device.credentialId);
  });
});

describe("adding a passkey", () => {
  it("takes an offer once, within five minutes, from the account that it was made for", async () => {
    const device = await createAuthenticator();
    const { options, ticket } = await offered();
    const credential = newCredential.parse(await device.create(options));
    const made = { ticket, credential, name: "Pixel" };
    const other = { ...member(), userId: driverId.parse("11111111-1111-4111-8111-111111111111") };
    expect(await at.pool.acceptPasskey(other, made)).toBe("refused");
    expect(await at.pool.acceptPasskey(member(), { ...made, ticket: `${ticket}x` })).toBe("refused");
    expect(await at.pool.acceptPasskey(member(), made)).toMatchObject({ name: "Pixel" });
    expect(await at.pool.acceptPasskey(member(), made)).toBe("refused");
    const late = await offered();
    at.clock.now += 5 * MINUTE_MS;
    const lateCredential = newCredential.parse(await (await createAuthenticator()).create(late.options));
    expect(
      await at.pool.acceptPasskey(member(), { ...made, ticket: late.ticket, credential: lateCredential }),
    ).toBe("refused");
    expect(await names()).toEqual(["Pixel"]);
  });

  it("is told to the number, with a link that removes it, and refused to a session that has ended", async () => {
    const { device } = await enroll();
    expect(at.rows(`SELECT kind, phone_number FROM pool_notices`)).toEqual([
      { kind: "passkeys", phone_number: PHONE },
    ]);
    expect(at.onAccountChange).toHaveBeenCalledWith(at.sub);
    const offer = await offered();
    const second = newCredential.parse(await (await createAuthenticator()).create(offer.options));
    const { token, tokenHash } = await makeUndoToken();
    at.run(`UPDATE pool_notices SET token_hash = ?`, tokenHash);
    const notice = await at.pool.findUndo(token);
    expect(notice && (await at.pool.undo(notice))).toBe("undone");
    expect(await signInWith(device)).toBe(WRONG);
    expect(
      await at.pool.acceptPasskey(member(), { ticket: offer.ticket, credential: second, name: "Late" }),
    ).toBe("refused");
    expect(at.rows(`SELECT id FROM pool_passkeys`)).toEqual([]);
  });

  it("ends at ten, and pauses where an hour saw eight changes", async () => {
    for (let count = 0; count < 8; count += 1) await enroll();
    expect(await addWith(await createAuthenticator())).toBe("busy");
    at.clock.now += HOUR_MS;
    await enroll();
    const { options, ticket } = await offered();
    await enroll();
    expect(await at.pool.offerPasskey(member(), null)).toBe("full");
    const eleventh = newCredential.parse(await (await createAuthenticator()).create(options));
    expect(await at.pool.acceptPasskey(member(), { ticket, credential: eleventh, name: "One more" })).toBe(
      "full",
    );
    expect((await names()).length).toBe(10);
  });

  it("reads no credential of other letters than Base64url's", async () => {
    const { options } = await offered();
    const made = await (await createAuthenticator()).create(options);
    for (const id of [`${made.id}=`, `${made.id}/`, ` ${made.id}`, ""])
      expect(newCredential.safeParse({ ...made, id, rawId: id }).success, id).toBe(false);
    expect(newCredential.safeParse(made).success).toBe(true);
  });

  it("takes no credential twice", async () => {
    const { device } = await enroll();
    expect(await addWith(device)).toBe("refused");
  });
});

describe("removing a passkey", () => {
  it("ends its sign-ins, tells the number, and the link brings it back", async () => {
    const { device, id } = await enroll();
    const signedIn = await signInWith(device);
    at.clock.now += 1000;
    const caller = member();
    expect(await at.pool.endPasskey({ ...caller, userId: driverId.parse(crypto.randomUUID()) }, id)).toBe(
      "gone",
    );
    expect(await at.pool.endPasskey(caller, id)).toBe("removed");
    expect(await at.pool.endPasskey(caller, id)).toBe("gone");
    expect(live()).toEqual([caller.originJti]);
    expect(live()).not.toContain(Object(signedIn).originJti);
    expect(await names()).toEqual([]);
    expect(await signInWith(device)).toBe(WRONG);
    const { token, tokenHash } = await makeUndoToken();
    at.run(`UPDATE pool_notices SET token_hash = ? WHERE changed_at = ?`, tokenHash, at.clock.now);
    const notice = await at.pool.findUndo(token);
    expect(notice && (await at.pool.undo(notice))).toBe("undone");
    expect(status()).toBe("RESET_REQUIRED");
    at.clock.now += 1000;
    expect(await signInWith(device)).toMatchObject({ userId: at.sub });
  });

  it("deletes it for good after the seven days in which it can be undone", async () => {
    const { id } = await enroll();
    await at.pool.endPasskey(member(), id);
    at.clock.now += 7 * DAY_MS - 1;
    const next = await enroll();
    expect(at.rows(`SELECT id FROM pool_passkeys`)).toHaveLength(2);
    at.clock.now += 1;
    await enroll();
    expect(at.rows(`SELECT id FROM pool_passkeys`)).not.toContainEqual({ id });
    expect(at.rows(`SELECT id FROM pool_passkeys`)).toContainEqual({ id: next.id });
  });

  it("renames one of the account's own", async () => {
    const { id } = await enroll();
    expect(await at.pool.namePasskey({ id, userId: userId(), name: "Work phone" })).toBe(true);
    expect(await at.pool.namePasskey({ id, userId: driverId.parse(crypto.randomUUID()), name: "Mine" })).toBe(
      false,
    );
    expect(await names()).toEqual(["Work phone"]);
  });
});

describe("after a password that a texted code set", () => {
  it("no passkey is removed for a day, except by one from before", async () => {
    const { device, id } = await enroll();
    const thief = await recover();
    const from = at.rows(`SELECT changed_at FROM pool_notices WHERE kind = 'recovery'`)[0]?.["changed_at"];
    const removableFrom = Number(from) + DAY_MS;
    expect(await at.pool.viewPasskeys(thief)).toMatchObject({ removableFrom, recoveredAt: null });
    expect(await at.pool.endPasskey(thief, id)).toBe("waiting");
    const added = await createAuthenticator();
    expect(await addWith(added, {}, thief)).toMatchObject({ name: "Pixel" });
    at.clock.now += 1000;
    const byNew = await signInWith(added);
    expect(await at.pool.endPasskey(byNew as typeof thief, id)).toBe("waiting");
    const owner = (await signInWith(device)) as typeof thief;
    expect(await at.pool.viewPasskeys(owner)).toMatchObject({ removableFrom: null, recoveredAt: from });
    at.clock.now = removableFrom - 1;
    expect(await at.pool.endPasskey(thief, id)).toBe("waiting");
    at.clock.now = removableFrom;
    expect(await at.pool.endPasskey(thief, id)).toBe("removed");
  });

  it("a passkey from before undoes it and what came after, and keeps its own sign-in alone", async () => {
    const { device } = await enroll();
    const thief = await recover();
    const added = await createAuthenticator();
    await addWith(added, {}, thief);
    at.run(`UPDATE pool_users SET phone_number = '+15550100666'`);
    at.clock.now += 1000;
    const later = (await signInWith(added)) as typeof thief;
    expect(await at.pool.undoRecovery(thief)).toBe("none");
    expect(await at.pool.undoRecovery(later)).toBe("none");
    const owner = (await signInWith(device)) as typeof thief;
    expect(await at.pool.undoRecovery(owner)).toBe("undone");
    expect(live()).toEqual([owner.originJti]);
    expect([status(), at.row()?.["phone_number"]]).toEqual(["RESET_REQUIRED", PHONE]);
    expect(await names(owner)).toEqual(["Pixel"]);
    expect(await signInWith(added)).toBe(WRONG);
    expect(await at.signIn("Another-2-word")).toMatchObject({ __type: "PasswordResetRequiredException" });
    expect(await at.pool.undoRecovery(owner)).toBe("none");
    expect(await at.pool.viewPasskeys(owner)).toMatchObject({ removableFrom: null, recoveredAt: null });
    // The owner sets a password anew when the number is theirs again.
    at.clock.now += 1000;
    expect(await signInWith(device)).toMatchObject({ userId: at.sub });
  });

  it("a passkey that was removed then opens nothing, and takes the account back for seven days", async () => {
    const { device, id } = await enroll();
    const thief = await recover();
    const recoveredAt = at.clock.now - 1000;
    at.clock.now += DAY_MS;
    expect(await at.pool.endPasskey(thief, id)).toBe("removed");
    expect(await signInWith(device)).toBe(
      "NotAuthorizedException: The passkey was removed after the password was reset.",
    );
    at.note.mockClear();
    at.clock.now = recoveredAt + 7 * DAY_MS - 1;
    const owner = (await signInWith(device, {}, { undo_recovery: "true" })) as typeof thief;
    expect(at.noted()).toEqual(["change_undone", "sign_in"]);
    expect(live()).toEqual([owner.originJti]);
    expect(await names(owner)).toEqual(["Pixel"]);
    expect(status()).toBe("RESET_REQUIRED");
  });

  it("one that its owner removed before, or that the seven days are over for, takes nothing back", async () => {
    const { device, id } = await enroll();
    await at.pool.endPasskey(member(), id);
    await recover();
    expect(await signInWith(device, {}, { undo_recovery: "true" })).toBe(WRONG);
    const second = await createAuthenticator();
    const known = await (async () => {
      const { AuthenticationResult } = Object(await at.signIn("Another-2-word"));
      return { userId: userId(), originJti: sessionOf(AuthenticationResult.IdToken) };
    })();
    const added = await addWith(second, {}, known);
    at.clock.now += 2 * DAY_MS;
    expect(await at.pool.endPasskey(known, Object(added).id)).toBe("removed");
    expect(await signInWith(second, {}, { undo_recovery: "true" })).toBe(WRONG);
  });

  it("a password that its owner changed by the one before lets passkeys be removed at once", async () => {
    const { id } = await enroll();
    const change = { PreviousPassword: PASSWORD, ProposedPassword: "Another-2-word" };
    expect(await at.ask("ChangePassword", change)).toEqual({});
    expect(await at.pool.endPasskey(member(), id)).toBe("removed");
  });
});

it("exports names and dates of passkeys, and no keys", async () => {
  await enroll();
  const account = await at.pool.exportAccount(userId());
  expect(account?.passkeys).toEqual([
    { name: "Pixel", createdAt: at.clock.now - MINUTE_MS, lastUsedAt: null, removedAt: null },
  ]);
});
