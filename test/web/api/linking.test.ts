import { describe, expect, it } from "vitest";
import { RequestError } from "../../../web/api/client/request-error.ts";
import {
  linkingEndReason,
  linkingStore,
  setupQuery,
  setupRefetchMs,
} from "../../../web/api/queries/setup.ts";
import { formatCountdown } from "../../../web/features/language/format.ts";
import { linkingErrorMessage, wrongCodeMessage } from "../../../web/features/linking/linking-messages.ts";

describe("looking how far linking has come", () => {
  const look = (change: Partial<Parameters<typeof setupRefetchMs>[0]>) =>
    setupRefetchMs({ step: "approval", polls: 1, error: null, ...change });

  it("is quick at first while an approval is awaited, and calms down", () => {
    expect([look({}), look({ polls: 20 }), look({ step: "otp" })]).toEqual([2_000, 5_000, 15_000]);
  });

  it("stops where nothing can change by itself", () => {
    expect([look({ step: "credentials" }), look({ step: "linked" }), look({ step: undefined })]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("begins with nothing typed, ended or waited for", () => {
    const nothing = { email: null, endReason: null, isRestarting: false, retryAt: 0, resendAt: 0 };
    expect(linkingStore.get()).toEqual(nothing);
  });

  it("asks again twice where the network failed, and leaves an answer or a fault of the page as it is", () => {
    const { retry } = setupQuery;
    if (typeof retry !== "function") throw new Error("no rule for asking again");
    const lost = new RequestError(0, "network");
    const answered = new RequestError(503, "platform_unreachable");
    expect([retry(0, lost), retry(1, lost), retry(2, lost)]).toEqual([true, true, false]);
    expect([retry(0, answered), retry(0, new TypeError("x is undefined"))]).toEqual([false, false]);
  });

  it("waits as long as the platform asks", () => {
    expect(look({ error: new RequestError(503, "platform_unreachable") })).toBe(15_000);
    expect(look({ error: new RequestError(429, "rate_limited", { retryAfter: 40 }) })).toBe(40_000);
  });
});

describe("a failure in linking", () => {
  it.each([
    ["credentials", "link_credentials_wrong", "Login error. Please try again."],
    ["credentials", "link_locked", "Login error. Please try again."],
    ["credentials", "link_paused", "Login error. Please try again."],
    ["code", "link_code_expired", "Error setting up account. Please try again."],
    ["code", "unauthenticated", "You must be authenticated to set up your account"],
    [
      "credentials",
      "platform_unreachable",
      "An error occurred while processing your request. Please try again or contact support if the problem persists.",
    ],
  ] as const)("at %s, %s says: %s", (step, code, title) => {
    expect(linkingErrorMessage(step, new RequestError(400, code)).title).toBe(title);
  });

  it("says until when linking is paused", () => {
    const paused = new RequestError(429, "link_paused", { retryAfter: 900 });
    expect(linkingErrorMessage("credentials", paused).hint).toMatch(
      /^Linking is paused until .+ after too many wrong tries\. If you don't know the password/,
    );
  });

  it("counts the tries of a wrong code, the last of which ends it", () => {
    const wrong = (attemptsLeft?: number) =>
      new RequestError(422, "link_code_wrong", attemptsLeft === undefined ? {} : { attemptsLeft });
    expect([wrong(), wrong(1), wrong(3)].map(wrongCodeMessage)).toEqual([
      "That code isn't right. Check it and try again.",
      "That code isn't right. You have 1 try left.",
      "That code isn't right. You have 3 tries left.",
    ]);
    expect([
      linkingEndReason(wrong(1)),
      linkingEndReason(wrong(0)),
      linkingEndReason(new RequestError(409, "link_denied")),
      linkingEndReason(new RequestError(409, "verification_required")),
    ]).toEqual([null, "code_attempts_exhausted", "link_denied", null]);
  });
});

it("counts down in minutes and seconds", () => {
  expect([600, 61, 9, 3600, 35_999].map(formatCountdown)).toEqual([
    "10:00",
    "1:01",
    "0:09",
    "1:00:00",
    "9:59:59",
  ]);
});
