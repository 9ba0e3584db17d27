import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import type { QuestionId } from "../../../db/shapes/work/question.ts";
import { RequestError } from "../../../web/api/client/request-error.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { QuestionChoice } from "../../../web/features/questions/question-choice.tsx";
import { makeOffer } from "../../engine/fixtures.ts";
import { renderPart } from "../../support/rendered-part.ts";

beforeAll(() => changeLocale("en"));

it.each([
  ["is open", { status: "waiting" }, 1],
  ["was answered all the same", { status: "approved", at: 0 }, 0],
] as const)("says that an answer wasn't sent while the question %s", async (_, state, alerts) => {
  const question = {
    questionId: "question-one" as QuestionId,
    offer: makeOffer("a"),
    place: null,
    filtersVersion: 1,
    askedAt: Date.now(),
    closesAt: Date.now() + 60_000,
    state,
  };
  const error = new RequestError(0, "network");
  await renderPart(
    createElement(QuestionChoice, {
      question,
      timeZone: "UTC",
      onAnswer: () => {},
      isPending: false,
      error,
      unsent: "Not sent",
    }),
  );
  expect(screen.queryAllByRole("alert")).toHaveLength(alerts);
});
