import { beforeEach, expect, it } from "vitest";
import { LIVE_PROTOCOL } from "../../../db/shapes/work/live.ts";
import type { UserResponse } from "../../../worker/contract/account/user.ts";
import { addAccount, operatorClient, OWNER } from "../console-harness.ts";
import { callPool, embedded, PASSWORD, signUpMember } from "../embedded-pool.ts";
import {
  advanceClock,
  createActiveDriver,
  driverObject,
  publishOffer,
  resetPlatform,
  runAlarm,
} from "../harness.ts";

beforeEach(() => resetPlatform());

/** An owner's acts in the console. */
async function setEnabled(phoneNumber: string, isEnabled: boolean): Promise<void> {
  const owner = operatorClient(OWNER, embedded);
  const driver = await owner.find(phoneNumber);
  await owner.do({ driverId: driver.id }, { act: isEnabled ? "enable" : "disable", reason: "a test" });
}

it("refuses sign-ins and tokens of a disabled driver in the pool's own words, and closes the dashboard", async () => {
  const { client, phoneNumber, refreshToken } = await signUpMember();
  await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber });
  const { ticket } = await client.ticket();
  const { webSocket } = await embedded.fetch(`${embedded.origin}/flex/v1/live`, {
    headers: { upgrade: "websocket", "sec-websocket-protocol": `${LIVE_PROTOCOL}, ticket.${ticket}` },
  });
  if (!webSocket) throw new Error("no socket");
  webSocket.accept();
  const closed = new Promise<void>((resolve) => webSocket.addEventListener("close", () => resolve()));
  await setEnabled(phoneNumber, false);
  await closed;
  const refused = { __type: "NotAuthorizedException", message: "User is disabled." };
  const signIn = (AuthFlow: string, AuthParameters: object) =>
    callPool("InitiateAuth", { AuthFlow, AuthParameters });
  const password = { USERNAME: phoneNumber, PASSWORD };
  expect((await signIn("USER_PASSWORD_AUTH", password)).body).toMatchObject(refused);
  const refresh = { REFRESH_TOKEN: refreshToken };
  expect((await signIn("REFRESH_TOKEN_AUTH", refresh)).body).toMatchObject(refused);
  // An isolate trusts a session for half a minute.
  advanceClock(31_000);
  expect((await client.call("GET", "/flex/v1/user")).status).toBe(401);
  await setEnabled(phoneNumber, true);
  expect((await client.call("GET", "/flex/v1/user")).status).toBe(200);
  expect((await signIn("USER_PASSWORD_AUTH", password)).status).toBe(200);
});

it("captures nothing for a disabled driver, and goes on by their own switch once they are enabled", async () => {
  const driver = await createActiveDriver();
  const { phoneNumber } = driver;
  await addAccount(driver);
  await setEnabled(phoneNumber, false);
  await publishOffer(driver.warehouseIds[0]!);
  await runAlarm(driver);
  const object = driverObject(driver);
  expect(await object.snapshot()).toMatchObject({ phase: { kind: "off" }, held: [] });
  const { Item } = await driver.client.fetchJson<UserResponse>("GET", "/flex/v1/user");
  expect(Item.userDisabled).toBe(0);
  await setEnabled(phoneNumber, true);
  advanceClock(5_000);
  await runAlarm(driver);
  expect((await object.snapshot()).held).toHaveLength(1);
});
