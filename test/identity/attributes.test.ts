import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { poolUsers } from "../../db/schema/identity.ts";
import { confirmPendingPhone } from "../../db/queries/identity/phone.ts";
import { driverId } from "../../db/shapes/units.ts";
import { claimsOf, newPhone, openPoolHarness, PASSWORD, type PoolHarness } from "./harness.ts";

const TAKEN = {
  __type: "AliasExistsException",
  message: "An account with the given phone_number already exists.",
};

let harness: PoolHarness;
beforeEach(async () => {
  harness = await openPoolHarness();
});

async function call(operation: string, body: object): Promise<Record<string, unknown>> {
  return (await harness.call(operation, body)).body;
}

const update = (AccessToken: string, Name: string, Value: string) =>
  call("UpdateUserAttributes", { AccessToken, UserAttributes: [{ Name, Value }] });

const verify = (AccessToken: string, Code: string) =>
  call("VerifyUserAttribute", { AccessToken, AttributeName: "phone_number", Code });

it("refuses unknown attributes and malformed phone numbers, also at registration", async () => {
  const { AccessToken } = await harness.signIn(await harness.register());
  expect(await update(AccessToken, "custom:plan", "gold")).toEqual({
    __type: "InvalidParameterException",
    message:
      "Attributes did not conform to the schema: Type for attribute {custom:plan} could not be determined",
  });
  const invalid = { __type: "InvalidParameterException", message: "Invalid phone number format." };
  expect(await update(AccessToken, "phone_number", "+445550100")).toEqual(invalid);
  const registration = (phone_number: string) => ({
    ClientId: harness.clientId,
    Username: newPhone(),
    Password: PASSWORD,
    UserAttributes: [{ Name: "phone_number", Value: phone_number }],
  });
  expect(await call("SignUp", registration("5550100"))).toEqual(invalid);
  expect(await call("SignUp", registration(newPhone()))).toEqual(invalid);
});

it("verifies the present phone number where it was not verified", async () => {
  const account = await harness.register();
  await harness.db
    .update(poolUsers)
    .set({ phoneVerified: false })
    .where(eq(poolUsers.phoneNumber, account.phone));
  const { AccessToken } = await harness.signIn(account);
  const isVerified = async () => (await call("GetUser", { AccessToken }))["UserAttributes"];
  const verified = (Value: string) => expect.arrayContaining([{ Name: "phone_number_verified", Value }]);
  expect(await isVerified()).toEqual(verified("false"));
  await call("GetUserAttributeVerificationCode", { AccessToken, AttributeName: "phone_number" });
  expect(await verify(AccessToken, harness.codeFor(account.phone))).toEqual({});
  expect(await isVerified()).toEqual(verified("true"));
});

it("refuses to delete the phone number and to verify an email", async () => {
  const { AccessToken } = await harness.signIn(await harness.register());
  expect(
    await call("DeleteUserAttributes", { AccessToken, UserAttributeNames: ["phone_number"] }),
  ).toMatchObject({ __type: "InvalidParameterException" });
  for (const operation of ["GetUserAttributeVerificationCode", "VerifyUserAttribute"]) {
    expect(await call(operation, { AccessToken, AttributeName: "email", Code: "123456" })).toEqual({
      __type: "InvalidParameterException",
      message: "Attribute email can't be verified by this pool.",
    });
  }
});

it("gives a phone number to the first of two accounts that verify it", async () => {
  const wanted = newPhone();
  const accounts = [await harness.register(), await harness.register()];
  const codes: { AccessToken: string; code: string }[] = [];
  for (const account of accounts) {
    const { AccessToken } = await harness.signIn(account);
    await update(AccessToken, "phone_number", wanted);
    codes.push({ AccessToken, code: harness.codeFor(wanted) });
  }
  const [first, second] = codes;
  if (!first || !second) throw new Error("two accounts");
  expect(await verify(first.AccessToken, first.code)).toEqual({});
  expect(await verify(second.AccessToken, second.code)).toEqual(TAKEN);
  expect(await call("GetUser", { AccessToken: first.AccessToken })).toMatchObject({
    UserAttributes: expect.arrayContaining([{ Name: "phone_number", Value: wanted }]),
  });
});

it("takes over the number of an account that was never confirmed", async () => {
  const wanted = newPhone();
  await call("SignUp", { ClientId: harness.clientId, Username: wanted, Password: PASSWORD });
  const { phone, password } = await harness.register();
  const { AccessToken } = await harness.signIn({ phone, password });
  await update(AccessToken, "phone_number", wanted);
  expect(await verify(AccessToken, harness.codeFor(wanted))).toEqual({});
  expect(await harness.start({ phone: wanted, password })).toHaveProperty("AuthenticationResult");
});

it("confirms only the number that is pending", async () => {
  const { sub, phone, password } = await harness.register();
  const { AccessToken } = await harness.signIn({ phone, password });
  const keep = String(claimsOf(AccessToken)["origin_jti"]);
  await harness.db
    .update(poolUsers)
    .set({ pendingPhone: newPhone() })
    .where(eq(poolUsers.phoneNumber, phone));
  const [userId, phoneNumber] = [driverId.parse(sub), newPhone()];
  const change = { userId, phoneNumber, keep, now: Date.now() };
  expect(await confirmPendingPhone(harness.db, change)).toBe("taken");
});

it("never lets an attribute override a claim, and reports emails as unverified", async () => {
  const account = await harness.register();
  const attributes = { sub: "other", aud: "other", token_use: "access", email: "ana@example.com" };
  await harness.db.update(poolUsers).set({ attributes }).where(eq(poolUsers.phoneNumber, account.phone));
  expect(claimsOf((await harness.signIn(account)).IdToken)).toMatchObject({
    sub: account.sub,
    aud: harness.clientId,
    token_use: "id",
    email: "ana@example.com",
    email_verified: false,
  });
});

it("sets attributes together with a required new password, except the phone number", async () => {
  const account = await harness.register();
  const status = { status: "FORCE_CHANGE_PASSWORD" } as const;
  await harness.db.update(poolUsers).set(status).where(eq(poolUsers.phoneNumber, account.phone));
  const challenge = await harness.start(account);
  const { AuthenticationResult } = await harness.respond(challenge, {
    USERNAME: account.phone,
    NEW_PASSWORD: "Other-2-password",
    "userAttributes.nickname": "Ana",
    "userAttributes.phone_number": newPhone(),
  });
  const { AccessToken, IdToken } = Object(AuthenticationResult);
  expect(claimsOf(IdToken)).toMatchObject({ nickname: "Ana", phone_number: account.phone });
  const { UserAttributes } = Object(await call("GetUser", { AccessToken }));
  expect(UserAttributes.filter(({ Name }: { Name: string }) => Name === "phone_number")).toEqual([
    { Name: "phone_number", Value: account.phone },
  ]);
});
