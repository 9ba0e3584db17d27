import { beforeEach, expect, it } from "vitest";
import { callPool, PASSWORD, signUpMember, textedCode } from "../embedded-pool.ts";
import { apiTarget, resetPlatform } from "../harness.ts";

beforeEach(() => resetPlatform());

async function textsTo(phoneNumber: string): Promise<string[]> {
  const query = `to=${encodeURIComponent(phoneNumber)}`;
  const texts = await apiTarget.fetch(`${apiTarget.origin}/sandbox/sms?${query}`);
  const { messages } = await texts.json<{ messages: { body: string }[] }>();
  return messages.map(({ body }) => body);
}

it("tells the owner by one text that somebody guesses, and until when sign-ins wait", async () => {
  const { phoneNumber } = await signUpMember();
  await callPool("ForgotPassword", { Username: phoneNumber });
  const code = await textedCode(phoneNumber);
  const wrong = code === "000000" ? "000001" : "000000";
  for (let i = 0; i < 22; i++) {
    const guess = { Username: phoneNumber, ConfirmationCode: wrong, Password: PASSWORD };
    await callPool("ConfirmForgotPassword", guess, { "cf-connecting-ip": `203.0.113.${i % 5}` });
  }
  const told = (await textsTo(phoneNumber)).filter((text) => text.includes("keeps guessing your password"));
  expect(told).toHaveLength(1);
  // The page's call to learn the time: not a try.
  const probe = { AuthFlow: "USER_SRP_AUTH", AuthParameters: { USERNAME: phoneNumber, SRP_A: "2" } };
  const { body, headers } = await callPool("InitiateAuth", probe);
  expect(body["message"]).toBe("Password attempts exceeded");
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(4 * 3600 - 60);
});
