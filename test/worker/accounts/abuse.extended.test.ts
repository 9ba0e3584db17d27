import { beforeEach, describe, expect, it } from "vitest";
import { callPool, newPhone, PASSWORD } from "../embedded-pool.ts";
import { resetPlatform } from "../harness.ts";

beforeEach(() => resetPlatform());

const CALLS_PER_MINUTE = 100;

/** Asks for codes of unknown numbers from one address. @returns how often each type of response came */
async function callMany(address: string, times: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let time = 0; time < times; time += 1) {
    const call = { Username: newPhone() };
    const { body } = await callPool("ForgotPassword", call, { "cf-connecting-ip": address });
    const type = String(body["__type"] ?? "done");
    counts[type] = (counts[type] ?? 0) + 1;
  }
  return counts;
}

describe("the rate limit per address", () => {
  it("allows a number of calls per minute, then responds with the protocol's error", async () => {
    // The counters restart every minute of the wall clock, which may happen once during the test.
    const requested = 2 * CALLS_PER_MINUTE + 5;
    const {
      UserNotFoundException: answered = 0,
      TooManyRequestsException: refused = 0,
      ...others
    } = await callMany("192.0.2.1", requested);
    expect([answered + refused, others]).toEqual([requested, {}]);
    expect(answered).toBeGreaterThanOrEqual(CALLS_PER_MINUTE);
    expect(refused).toBeGreaterThanOrEqual(5);
  });

  it("counts each address and each operation separately", async () => {
    await callMany("192.0.2.2", CALLS_PER_MINUTE + 1);
    expect(await callMany("192.0.2.3", 1)).toEqual({ UserNotFoundException: 1 });
    const call = { Username: newPhone(), Password: PASSWORD };
    const { body } = await callPool("SignUp", call, { "cf-connecting-ip": "192.0.2.2" });
    expect(body["__type"]).toBeUndefined();
  });
});

describe("the texts that one address causes", () => {
  it("are 20 an hour, whatever numbers they go to", async () => {
    const counts: Record<string, number> = {};
    for (let time = 0; time < 22; time += 1) {
      const call = { Username: newPhone(), Password: PASSWORD };
      const { body } = await callPool("SignUp", call, { "cf-connecting-ip": "192.0.2.9" });
      const type = String(body["__type"] ?? "done");
      counts[type] = (counts[type] ?? 0) + 1;
    }
    expect(counts).toEqual({ done: 20, LimitExceededException: 2 });
  });
});
