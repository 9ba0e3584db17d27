import { beforeEach, expect, it } from "vitest";
import { newPhone, openPoolHarness, PASSWORD, type PoolHarness } from "./harness.ts";

let harness: PoolHarness;
beforeEach(async () => {
  harness = await openPoolHarness();
});

it("starts SRP for an unknown number as for a known one, with the same salt and sub on each call", async () => {
  const start = async (phone: string) => {
    const AuthParameters = { USERNAME: phone, SRP_A: "f".repeat(700) };
    const body = { ClientId: harness.clientId, AuthFlow: "USER_SRP_AUTH", AuthParameters };
    return (await harness.call("InitiateAuth", body)).body;
  };
  const { phone } = await harness.register();
  const unknown = newPhone();
  const [known, first] = [await start(phone), await start(unknown)];
  harness.advanceClock(1000);
  const second = await start(unknown);
  const shape = (response: Record<string, unknown>) =>
    Object.entries(Object(response["ChallengeParameters"])).map(([name, value]) => [
      name,
      name === "SECRET_BLOCK" ? String(value).length : /^[0-9a-f-]+$/.test(String(value)),
    ]);
  expect(shape(first)).toEqual(shape(known));
  const stable = (response: Record<string, unknown>) => {
    const { SALT, USER_ID_FOR_SRP, USERNAME } = Object(response["ChallengeParameters"]);
    return { SALT, USER_ID_FOR_SRP, USERNAME };
  };
  expect(stable(second)).toEqual(stable(first));
  expect(stable(known)).toEqual(stable(await start(phone)));
  expect(known).not.toHaveProperty("Session");
});

it("responds to confirmations and resends for an unknown number as for a known one, except under LEGACY", async () => {
  const body = { ClientId: harness.clientId, Username: newPhone(), ConfirmationCode: "123456" };
  const reset = { ...body, Password: PASSWORD };
  expect((await harness.call("ConfirmSignUp", body)).body).toMatchObject({ __type: "ExpiredCodeException" });
  expect((await harness.call("ConfirmForgotPassword", reset)).body).toMatchObject({
    __type: "CodeMismatchException",
  });
  expect((await harness.call("ResendConfirmationCode", body)).body).toMatchObject({
    CodeDeliveryDetails: { Destination: `+*******${body.Username.slice(-4)}` },
  });
  expect(harness.texts).toEqual([]);
  harness = await openPoolHarness({ settings: { preventUserExistenceErrors: "LEGACY" } });
  for (const operation of ["ConfirmSignUp", "ConfirmForgotPassword", "ResendConfirmationCode"]) {
    expect((await harness.call(operation, reset)).body).toMatchObject({ __type: "UserNotFoundException" });
  }
  expect(await harness.start({ phone: newPhone(), password: PASSWORD })).toEqual({
    __type: "UserNotFoundException",
    message: "User does not exist.",
  });
});

it("hides unknown numbers in ForgotPassword too, if so configured", async () => {
  harness = await openPoolHarness({ settings: { forgotPasswordRevealsUnknown: false } });
  const { status, body } = await harness.call("ForgotPassword", {
    ClientId: harness.clientId,
    Username: newPhone(),
  });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { CodeDeliveryDetails: { DeliveryMedium: "SMS" } },
  });
});
