import { act, screen } from "@testing-library/react";
import { createElement, useState } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { configQuery } from "../../../web/api/queries/user.ts";
import type * as HumanChallenges from "../../../web/features/account/human-challenge.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { renderPart } from "../../support/rendered-part.ts";

beforeAll(() => changeLocale("en"));
// Each test loads the challenge's script anew, which a page does once.
beforeEach(() => void vi.resetModules());
afterEach(() => {
  vi.restoreAllMocks();
  delete window.turnstile;
});

const TURNSTILE = { siteKey: "site", scriptUrl: "https://challenge.test/api.js" };
const SEND = "Send";
const SOLVE_FIRST = "ChallengeOpen: Complete the check above first.";

type Widget = Parameters<NonNullable<typeof window.turnstile>["render"]>[1] & { isGone: boolean };

/** A form with the challenge, whose script has not arrived; what it sent or was refused is on the screen. */
async function openForm({
  turnstile = TURNSTILE,
  onDemand = false,
}: { turnstile?: typeof TURNSTILE | null; onDemand?: boolean } = {}) {
  const scripts: HTMLScriptElement[] = [];
  vi.spyOn(document.head, "append").mockImplementation(
    (script) => void scripts.push(script as HTMLScriptElement),
  );
  const { HumanChallenge, useHumanChallenge }: typeof HumanChallenges =
    await import("../../../web/features/account/human-challenge.tsx");
  const { AuthError } = await import("../../../web/api/session/auth-error.ts");
  const outcomes: string[] = [];
  function Form() {
    const { challenge, takeToken, noteError } = useHumanChallenge({ onDemand });
    const [, setCount] = useState(0);
    const send = () => {
      try {
        outcomes.push(String(takeToken()));
      } catch (error) {
        outcomes.push(error instanceof AuthError ? `${error.code}: ${error.message}` : "a crash");
      }
      setCount((count) => count + 1);
    };
    const refuse = (code: string) => () => noteError(new AuthError(code, "refused"));
    return createElement(
      "div",
      {},
      challenge && createElement(HumanChallenge, { key: challenge.round, ...challenge }),
      createElement("output", {}, challenge?.siteKey),
      createElement("button", { onClick: send }, SEND),
      createElement("button", { onClick: refuse("UserLambdaValidationException") }, "Refuse"),
      createElement("button", { onClick: refuse("LimitExceededException") }, "Limit"),
    );
  }
  const part = await renderPart(createElement(Form), { answered: [[configQuery.queryKey, { turnstile }]] });
  const widgets: Widget[] = [];
  const arrive = async () => {
    window.turnstile = {
      render: (_target, options) => String(widgets.push({ ...options, isGone: false }) - 1),
      remove: (id) => void ((widgets[Number(id)] ?? { isGone: false }).isGone = true),
    };
    await act(async () => scripts.at(-1)?.dispatchEvent(new Event("load")));
  };
  return {
    ...part,
    scripts,
    widgets,
    arrive,
    fail: () => act(async () => scripts.at(-1)?.dispatchEvent(new Event("error"))),
    outcomes,
    press: (name: string) => part.user.click(screen.getByRole("button", { name })),
    isShown: () => screen.queryByRole("group", { name: "Check that you're a person" }) !== null,
    drawn: () => widgets.filter(({ isGone }) => !isGone).length,
  };
}

it("sends each token once, and draws the challenge anew for the next", async () => {
  const { arrive, widgets, press, outcomes, drawn, scripts } = await openForm();
  await press(SEND);
  await arrive();
  await press(SEND);
  expect(widgets).toMatchObject([{ sitekey: "site", action: "register", language: "en" }]);
  widgets[0]?.callback("solved");
  await press(SEND);
  await expect.poll(() => widgets.length).toBe(2);
  await press(SEND);
  widgets[1]?.callback("solved again");
  await press(SEND);
  expect(outcomes).toEqual([SOLVE_FIRST, SOLVE_FIRST, "solved", SOLVE_FIRST, "solved again"]);
  expect([drawn(), scripts.length]).toEqual([1, 1]);
});

it.each(["expired-callback", "error-callback"] as const)("forgets a token at the %s", async (callback) => {
  const { arrive, widgets, press, outcomes } = await openForm();
  await arrive();
  widgets[0]?.callback("solved");
  widgets[0]?.[callback]();
  await press(SEND);
  expect(outcomes).toEqual([SOLVE_FIRST]);
});

it("asks for no token where the deployment has no challenge", async () => {
  const { press, outcomes, isShown, scripts } = await openForm({ turnstile: null });
  await press(SEND);
  expect([outcomes, isShown(), scripts]).toEqual([["null"], false, []]);
});

it("has no challenge on demand until the server asks for it", async () => {
  const { press, outcomes, isShown, arrive, widgets } = await openForm({ onDemand: true });
  await press("Limit");
  await press(SEND);
  expect([outcomes, isShown()]).toEqual([["null"], false]);
  await press("Refuse");
  expect(isShown()).toBe(true);
  await press(SEND);
  await arrive();
  widgets[0]?.callback("solved");
  await press(SEND);
  expect(outcomes).toEqual(["null", SOLVE_FIRST, "solved"]);
});

it("says that the challenge couldn't be loaded, and loads it anew for who sends the form again", async () => {
  const { arrive, fail, press, outcomes, widgets, scripts } = await openForm();
  await fail();
  await press(SEND);
  expect(outcomes).toEqual([expect.stringMatching(/^NetworkError: /u)]);
  await expect.poll(() => scripts.length).toBe(2);
  await press(SEND);
  expect(outcomes.at(-1)).toBe(SOLVE_FIRST);
  await arrive();
  widgets[0]?.callback("solved");
  await press(SEND);
  expect(outcomes.at(-1)).toBe("solved");
});

it("says so where a network swallows the challenge's script", async () => {
  const timers = vi.spyOn(globalThis, "setTimeout");
  const { press, outcomes, scripts } = await openForm();
  const limit = timers.mock.calls.find(([, delayMs]) => delayMs === 20_000)?.[0];
  await act(async () => limit?.());
  await press(SEND);
  expect(outcomes).toEqual([expect.stringMatching(/^NetworkError: /u)]);
  await expect.poll(() => scripts.length).toBe(2);
});

it("draws one challenge where the deployment's changes while the script is on its way", async () => {
  const { arrive, arrives, widgets } = await openForm();
  arrives(configQuery.queryKey, { turnstile: { ...TURNSTILE, siteKey: "another" } });
  await expect.poll(() => screen.getByRole("status").textContent).toBe("another");
  await arrive();
  expect(widgets.map(({ sitekey }) => sitekey)).toEqual(["another"]);
});

it("draws nothing on a screen that was left before the script arrived, and removes it from one that is left", async () => {
  const first = await openForm();
  first.unmount();
  await first.arrive();
  expect(first.widgets).toEqual([]);
  vi.resetModules();
  const second = await openForm();
  await second.arrive();
  expect(second.drawn()).toBe(1);
  second.unmount();
  expect(second.drawn()).toBe(0);
});
