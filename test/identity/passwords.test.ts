import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { poolUsers } from "../../db/schema/identity.ts";
import { replacePoolSeal } from "../../db/queries/identity/pool-users.ts";
import { driverId, MINUTE_MS } from "../../db/shapes/units.ts";
import { openVerifier, verifierContext } from "../../worker/identity/accounts/verifiers.ts";
import { factsOf, newPhone, openPoolHarness, PASSWORD, type Account, type PoolHarness } from "./harness.ts";

const DISABLED = { __type: "NotAuthorizedException", message: "User is disabled." };

let harness: PoolHarness;
beforeEach(async () => {
  harness = await openPoolHarness();
});

async function call(operation: string, body: object): Promise<Record<string, unknown>> {
  return (await harness.call(operation, { ClientId: harness.clientId, ...body })).body;
}

async function update(phone: string, change: Partial<typeof poolUsers.$inferInsert>): Promise<void> {
  await harness.db.update(poolUsers).set(change).where(eq(poolUsers.phoneNumber, phone));
}

function reset({ phone }: Account): Promise<Record<string, unknown>> {
  const body = { Username: phone, ConfirmationCode: harness.codeFor(phone), Password: "Other-2-password" };
  return call("ConfirmForgotPassword", body);
}

it("resets only passwords of enabled accounts with a verified number", async () => {
  const unverified = newPhone();
  await call("SignUp", { Username: unverified, Password: PASSWORD });
  expect(await call("ForgotPassword", { Username: unverified })).toEqual({
    __type: "InvalidParameterException",
    message: "Cannot reset password for the user as there is no registered/verified email or phone_number",
  });
  const account = await harness.register();
  await update(account.phone, { status: "FORCE_CHANGE_PASSWORD" });
  expect(await call("ForgotPassword", { Username: account.phone })).toEqual({
    __type: "NotAuthorizedException",
    message: "User password cannot be reset in the current state.",
  });
  await update(account.phone, { status: "CONFIRMED" });
  await call("ForgotPassword", { Username: account.phone });
  await update(account.phone, { enabled: false });
  expect(await call("ForgotPassword", { Username: account.phone })).toEqual(DISABLED);
  expect(await reset(account)).toEqual(DISABLED);
});

it("requires a reset before sign-in if an operator says so, and ends all sessions with the reset", async () => {
  const account = await harness.register();
  const token = factsOf((await harness.signIn(account)).IdToken);
  expect(await harness.pool.isTokenLive(token)).toBe(true);
  await update(account.phone, { status: "RESET_REQUIRED" });
  expect(await harness.start(account)).toEqual({
    __type: "PasswordResetRequiredException",
    message: "Password reset required for the user",
  });
  await call("ForgotPassword", { Username: account.phone });
  expect(await reset(account)).toEqual({});
  expect(await harness.pool.isTokenLive(token)).toBe(false);
  await harness.signIn({ ...account, password: "Other-2-password" });
});

it("can't open a verifier for another account", async () => {
  const [one, other] = [await harness.register(), await harness.register()];
  const [row] = await harness.db.select().from(poolUsers).where(eq(poolUsers.phoneNumber, one.phone));
  const sealed = row?.password ?? "";
  expect(await openVerifier(harness.context, driverId.parse(one.sub), sealed)).not.toBeNull();
  expect(await openVerifier(harness.context, driverId.parse(other.sub), sealed)).toBeNull();
});

it("does not overwrite a secret that changed while it was being resealed", async () => {
  const { sub, phone } = await harness.register();
  const swap = { column: "password", from: "an older seal", to: "a newer seal" } as const;
  await replacePoolSeal(harness.db, driverId.parse(sub), swap);
  expect(await harness.start({ phone, password: PASSWORD })).toHaveProperty("AuthenticationResult");
});

it("resets the count of wrong previous passwords after a right one", async () => {
  const account = await harness.register();
  const { AccessToken } = await harness.signIn(account);
  const change = (PreviousPassword: string, ProposedPassword: string) =>
    call("ChangePassword", { AccessToken, PreviousPassword, ProposedPassword });
  for (const [present, next] of [
    [PASSWORD, "Other-2-password"],
    ["Other-2-password", PASSWORD],
  ] as const) {
    for (let i = 0; i < 4; i++) {
      expect(await change("Wrong-1-password", next)).toMatchObject({ __type: "NotAuthorizedException" });
    }
    expect(await change(present, next)).toEqual({});
    // Within ten minutes a change that is sent again is answered as done.
    harness.advanceClock(10 * MINUTE_MS + 1);
  }
});

it("opens passwords that were sealed before their powers were stored", async () => {
  const account = await harness.register();
  const id = driverId.parse(account.sub);
  const [row] = await harness.db.select().from(poolUsers).where(eq(poolUsers.phoneNumber, account.phone));
  const context = verifierContext(id);
  const plain = await harness.context.keys.open("verifier", { sealed: row?.password ?? "", context });
  const { salt, verifier } = JSON.parse(plain ?? "");
  const older = JSON.stringify({ salt, verifier });
  const password = await harness.context.keys.seal("verifier", { plain: older, context });
  const opened = await openVerifier(harness.context, id, row?.password ?? "");
  expect(await openVerifier(harness.context, id, password)).toEqual({ ...opened, keepsBrowsers: false });
});
