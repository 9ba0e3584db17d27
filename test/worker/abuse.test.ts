import { beforeEach, describe, expect, it } from "vitest";
import { callPool, newPhone, PASSWORD } from "./embedded-pool.ts";
import { resetPlatform } from "./harness.ts";

beforeEach(() => resetPlatform());

const TEXTS_A_MINUTE = 20;

/** Asks for a text to so many numbers, from one address. @returns how often each type of answer came */
async function askForTexts(address: string, times: number): Promise<Record<string, number>> {
  const answers: Record<string, number> = {};
  for (let time = 0; time < times; time += 1) {
    const call = { Username: newPhone(), Password: PASSWORD };
    const { body } = await callPool("SignUp", call, { "cf-connecting-ip": address });
    const type = String(body["__type"] ?? "done");
    answers[type] = (answers[type] ?? 0) + 1;
  }
  return answers;
}

describe("one address", () => {
  it("asks for so many texts a minute and no more, in the protocol's own words", async () => {
    // The counters start anew each minute of the wall clock, which may turn in between, once.
    const asked = 2 * TEXTS_A_MINUTE + 5;
    const {
      done = 0,
      TooManyRequestsException: refused = 0,
      ...others
    } = await askForTexts("192.0.2.1", asked);
    expect([done + refused, others]).toEqual([asked, {}]);
    expect(done).toBeGreaterThanOrEqual(TEXTS_A_MINUTE);
    expect(refused).toBeGreaterThanOrEqual(5);
  });

  it("does not use up what another address may ask, nor another call", async () => {
    await askForTexts("192.0.2.2", TEXTS_A_MINUTE + 1);
    expect(await askForTexts("192.0.2.3", 1)).toEqual({ done: 1 });
    const { body } = await callPool(
      "ForgotPassword",
      { Username: newPhone() },
      { "cf-connecting-ip": "192.0.2.2" },
    );
    expect(body["__type"]).toBe("UserNotFoundException");
  });
});
