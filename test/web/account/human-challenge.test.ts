import { createElement } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { AuthError } from "../../../web/api/session/auth-error.ts";
import { configQuery } from "../../../web/api/queries/user.ts";
import { useHumanChallenge } from "../../../web/features/account/human-challenge.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));
afterEach(() => void vi.unstubAllGlobals());

const TURNSTILE = { siteKey: "site", scriptUrl: "https://challenge.test/api.js" };

/** The challenge as a form is given it. */
async function challengeOf(turnstile: unknown, options?: { onDemand: boolean }) {
  const given: ReturnType<typeof useHumanChallenge>[] = [];
  const Form = () => {
    given.push(useHumanChallenge(options));
    return null;
  };
  await htmlOfPart(createElement(Form), { answered: [[configQuery.queryKey, { turnstile }]] });
  const [challenge] = given;
  if (!challenge) throw new Error("the form was not rendered");
  return challenge;
}

it("hands out each token once, and refuses to send without one", async () => {
  const { challenge, takeToken } = await challengeOf(TURNSTILE);
  expect(challenge).toMatchObject({ ...TURNSTILE, round: 0 });
  const open = new AuthError("ChallengeOpen", "Complete the check above first.");
  expect(takeToken).toThrow(open);
  challenge?.onToken("solved");
  expect(takeToken()).toBe("solved");
  expect(takeToken).toThrow(open);
  challenge?.onToken("solved again");
  challenge?.onToken(null);
  expect(takeToken).toThrow(open);
});

it("asks for no token where the deployment has no challenge, or has not asked yet", async () => {
  const { challenge, takeToken } = await challengeOf(null);
  expect([challenge, takeToken()]).toEqual([null, null]);
  const onDemand = await challengeOf(TURNSTILE, { onDemand: true });
  expect([onDemand.challenge, onDemand.takeToken()]).toEqual([null, null]);
});
