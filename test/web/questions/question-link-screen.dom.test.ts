import { screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Question, QuestionId, QuestionState } from "../../../db/shapes/work/question.ts";
import type { AttemptId } from "../../../db/shapes/units.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { QuestionLinkScreen } from "../../../web/features/questions/question-link-screen.tsx";
import { makeOffer } from "../../engine/fixtures.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

const [READ, ANSWER] = ["GET /flex/v1/question-link", "POST /flex/v1/question-link"];
const hash = "q".repeat(46);
const attemptId = "attempt-one" as AttemptId;

function linked(state: QuestionState) {
  const offer = makeOffer("asked");
  const now = Date.now();
  const question: Question = {
    questionId: "question-one" as QuestionId,
    offer,
    place: null,
    filtersVersion: 1,
    askedAt: now,
    closesAt: now + 60_000,
    state,
  };
  return { body: { question, language: "en", said: "" } };
}

it("says what became of the block that the driver took, without a reload", async () => {
  const { answer, count } = scriptNetwork();
  const at = Date.now();
  answer({
    [READ]: (
      [
        { status: "waiting" },
        { status: "accepting", at, attemptId },
        { status: "captured", at, attemptId },
      ] as const
    ).map(linked),
    [ANSWER]: linked({ status: "approved", at }),
  });
  const { user } = await renderPart(createElement(QuestionLinkScreen, { hash }), { path: `/q#${hash}` });
  await user.click(await screen.findByRole("button", { name: "Take" }));
  await screen.findByText("Taking it");
  vi.advanceTimersByTime(3_000);
  await expect.poll(() => count(READ)).toBe(2);
  await screen.findByText("Taking it");
  vi.advanceTimersByTime(3_000);
  await screen.findByText("Block captured");
  vi.advanceTimersByTime(60_000);
  expect(count(READ)).toBe(3);
});
