import { beforeEach, describe, expect, it } from "vitest";
import { callPool, newPhone, PASSWORD } from "./embedded-pool.ts";
import { resetPlatform } from "./harness.ts";

beforeEach(() => resetPlatform());

const TEXTS_PER_MINUTE = 20;

/** Requests texts to different numbers from one address. @returns how often each type of response came */
async function requestTexts(address: string, times: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let time = 0; time < times; time += 1) {
    const call = { Username: newPhone(), Password: PASSWORD };
    const { body } = await callPool("SignUp", call, { "cf-connecting-ip": address });
    const type = String(body["__type"] ?? "done");
    counts[type] = (counts[type] ?? 0) + 1;
  }
  return counts;
}

describe("the rate limit per address", () => {
  it("allows a number of texts per minute, then responds with the protocol's error", async () => {
    // The counters restart every minute of the wall clock, which may happen once during the test.
    const requested = 2 * TEXTS_PER_MINUTE + 5;
    const {
      done = 0,
      TooManyRequestsException: refused = 0,
      ...others
    } = await requestTexts("192.0.2.1", requested);
    expect([done + refused, others]).toEqual([requested, {}]);
    expect(done).toBeGreaterThanOrEqual(TEXTS_PER_MINUTE);
    expect(refused).toBeGreaterThanOrEqual(5);
  });

  it("counts each address and each operation separately", async () => {
    await requestTexts("192.0.2.2", TEXTS_PER_MINUTE + 1);
    expect(await requestTexts("192.0.2.3", 1)).toEqual({ done: 1 });
    const { body } = await callPool(
      "ForgotPassword",
      { Username: newPhone() },
      { "cf-connecting-ip": "192.0.2.2" },
    );
    expect(body["__type"]).toBe("UserNotFoundException");
  });
});
