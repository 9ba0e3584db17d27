import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { CONTRACT_RESPONSES, CODES } from "./contract.ts";
import { describeBlocks } from "./conformance/block-stories.ts";
import { describeLinking } from "./conformance/linking-stories.ts";
import { describeOffers } from "./conformance/offer-stories.ts";
import { arrivedAt, problem, repeated, wide } from "./conformance/replies.ts";
import { BETHPAGE, openSandboxHarness, type SandboxHarness } from "./sandbox-harness.ts";

let harness: SandboxHarness;
beforeAll(async () => {
  harness = await openSandboxHarness();
});
afterAll(() => harness.server.stop());
beforeEach(() => harness.clear());

const open = () => harness;

describeLinking(open);
describeOffers(open);
describeBlocks(open);

it("assigns a driver to the city named in the e-mail", async () => {
  const { token } = await harness.link("ana+phoenix@example.com");
  const driver = await harness.call("readDriver", { token });
  expect(driver.body).toMatchObject({ region: { name: "Phoenix" }, timeZone: "America/Phoenix" });
  const { warehouses } = (await harness.call("listWarehouses", { token })).body as {
    warehouses: { name?: string }[];
  };
  expect(warehouses.length).toBeGreaterThanOrEqual(5);
  expect(warehouses.some(({ name }) => name === undefined)).toBe(true);
});

it("rejects requests that violate the contract", async () => {
  const { token } = await harness.link();
  const offerId = await harness.drop();
  const refusals = await Promise.all([
    harness.call("createSession", { malformed: true, body: { email: "nobody" } }),
    harness.call("refreshTokens", { malformed: true, body: {} }),
    harness.call("acceptOffer", { malformed: true, token, path: { offerId }, body: { payAtLeast: 0 } }),
    harness.call("listBlocks", { malformed: true, token }),
    harness.call("checkIn", { malformed: true, token, path: { blockId: "blk_1" }, body: { latitude: 91 } }),
  ]);
  expect(refusals.map(problem)).toEqual(repeated(5, [400, "invalid_request"]));
});

it("injects rate limits and failures into any call", async () => {
  const { token } = await harness.link();
  const sessionId = String((await harness.begin("ana@example.com")).body.sessionId);
  const block = { blockId: "blk_1" };
  const rounds = [{ fault: "429", retryAfter: 7 }, { fault: "500" }];
  for (const round of rounds) {
    await harness.fault({ operation: "*", ...round });
    const replies = [
      await harness.begin("ana@example.com"),
      await harness.call("readSession", { path: { sessionId } }),
      await harness.call("answerOtp", { path: { sessionId }, body: { code: "000000" } }),
      await harness.call("resendOtp", { path: { sessionId } }),
      await harness.call("refreshTokens", { body: { refreshToken: "any" } }),
      await harness.call("readDriver", { token }),
      await harness.call("listWarehouses", { token }),
      await harness.call("listOffers", { token }),
      await harness.accept(token, "of_1", { key: "12345678" }),
      await harness.call("listBlocks", { token, query: wide }),
      await harness.call("forfeitBlock", { token, path: block }),
      await harness.call("checkIn", { token, path: block, body: arrivedAt(BETHPAGE) }),
      await harness.call("readEarnings", { token, query: wide }),
    ];
    const code = round.fault === "429" ? "rate_limited" : "internal";
    expect(replies.map(problem)).toEqual(repeated(13, [Number(round.fault), code]));
    await harness.control("DELETE", "/sandbox/faults");
  }
});

it("has returned every status and code in the contract", () => {
  expect(CONTRACT_RESPONSES.filter((answer) => !harness.seen.answers.has(answer))).toEqual([]);
  expect(CODES.filter((code) => !harness.seen.codes.has(code))).toEqual([]);
});
