import { expect, it } from "vitest";
import { MAX_QUESTIONS_AN_HOUR, type Question } from "../../../db/shapes/work/question.ts";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { questionsLeft } from "../../../durable/engine/questions/question-list.ts";
import { activeState, makeFilters, makeOffer, makeProfile, makeWarehouseFilter, NOON } from "../fixtures.ts";
import { after, listed, polled } from "../steps.ts";

const asking = makeProfile({
  filters: makeFilters({ warehouses: [makeWarehouseFilter({ action: "ask" })] }),
});
const first = after(activeState({ profile: asking }), listed()).state;
const asked = after(first, polled(makeOffer("a")));
const NOW = NOON + 30 * MINUTE_MS;

/** So many questions, a minute apart, the last one now. */
const questions = (count: number, fields: Partial<Question> = {}) =>
  asked.state.questions.flatMap((question) =>
    Array.from({ length: count }, (_, place) => ({
      ...question,
      ...fields,
      askedAt: NOW - (count - 1 - place) * MINUTE_MS,
    })),
  );
const left = (...all: Question[]) => questionsLeft({ questions: all }, NOW);

it("asks no more than so many times an hour, and again an hour after the first of the latest", () => {
  expect(left(...questions(MAX_QUESTIONS_AN_HOUR - 1))).toEqual({ left: 1, moreAt: NOW });
  expect(left(...questions(MAX_QUESTIONS_AN_HOUR))).toEqual({
    left: 0,
    moreAt: NOW - (MAX_QUESTIONS_AN_HOUR - 1) * MINUTE_MS + HOUR_MS,
  });
  expect(left(...questions(MAX_QUESTIONS_AN_HOUR + 2))).toEqual({
    left: 0,
    moreAt: NOW - (MAX_QUESTIONS_AN_HOUR - 1) * MINUTE_MS + HOUR_MS,
  });
});

it("counts no question that was only told of, and none of an hour ago", () => {
  const told = questions(MAX_QUESTIONS_AN_HOUR, { state: { status: "told", at: NOON } });
  const old = questions(1).map((question) => ({ ...question, askedAt: NOW - HOUR_MS }));
  expect(left(...told, ...old)).toEqual({ left: MAX_QUESTIONS_AN_HOUR, moreAt: NOW });
});

it("writes in the log that it asked", () => {
  const kinds = asked.effects.flatMap((effect) => (effect.kind === "log" ? effect.events : []));
  expect(kinds.map(({ kind }) => kind)).toContain("question_asked");
});
