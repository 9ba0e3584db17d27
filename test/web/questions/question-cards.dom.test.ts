import { act, screen, within } from "@testing-library/react";
import { createElement, useState } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { LogEntry } from "../../../db/shapes/log/driver-log.ts";
import type { Question, QuestionId, QuestionState } from "../../../db/shapes/work/question.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { QuestionCards } from "../../../web/features/questions/question-cards.tsx";
import { makeOffer, NOON } from "../../engine/fixtures.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => {
  storeSession(localStorage);
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
});
afterEach(() => void vi.useRealTimers());

const ONE = "question-one" as QuestionId;
const OTHER = "question-other" as QuestionId;
const answerTo = (id: QuestionId) => `POST /flex/v1/questions/${id}`;

function ask(questionId: QuestionId, state: QuestionState = { status: "waiting" }): Question {
  const offer = makeOffer(questionId);
  return { questionId, offer, place: null, filtersVersion: 1, askedAt: NOON, closesAt: NOON + 60_000, state };
}

async function showCards(...questions: Question[]) {
  const network = scriptNetwork();
  const part = await renderPart(createElement(QuestionCards, { questions, entries: [] }));
  const titles = () => screen.getAllByRole("heading").map(({ textContent }) => textContent);
  const press = (name: string) => part.user.click(screen.getByRole("button", { name }));
  return { ...network, ...part, titles, press };
}

it("sends one answer, though both are pressed, and says what became of the question", async () => {
  const { answer, calls, titles, press } = await showCards(ask(ONE));
  const arrival = Promise.withResolvers<void>();
  const question = ask(ONE, { status: "passed", at: NOON });
  answer({ [answerTo(ONE)]: { body: { question }, after: arrival.promise } });
  await press("Pass");
  await press("Take");
  arrival.resolve();
  await expect.poll(titles).toEqual(["You passed on this one"]);
  expect(calls.map(({ body }) => body)).toEqual([{ answer: "pass" }]);
  expect(buttonNames()).toEqual([]);
});

it("answers the question whose button was pressed, and leaves the other one open", async () => {
  const { answer, calls, user, titles } = await showCards(ask(ONE), ask(OTHER));
  answer({ [answerTo(OTHER)]: { body: { question: ask(OTHER, { status: "approved", at: NOON }) } } });
  const [, second] = screen.getAllByTestId("question");
  if (!second) throw new Error("there is one card");
  await user.click(within(second).getByRole("button", { name: "Take" }));
  await expect.poll(titles).toEqual(["Take this block?"]);
  expect(calls.map(({ operation, body }) => [operation, body])).toEqual([
    [answerTo(OTHER), { answer: "take" }],
  ]);
});

it.each([
  ["a lost connection", "lost"],
  ["a refusal", refusalReply("rate_limited")],
] as const)("says that the answer wasn't sent after %s, and takes it again", async (_, reply) => {
  const { answer, press, titles } = await showCards(ask(ONE));
  answer({ [answerTo(ONE)]: [reply, { body: { question: ask(ONE, { status: "approved", at: NOON }) } }] });
  await press("Take");
  // Nothing of the dashboard, where this is.
  expect((await screen.findByRole("alert")).textContent).toMatch(
    /^We couldn't send your answer\.(?!.*dashboard)/u,
  );
  await press("Take");
  await expect.poll(titles).toEqual(["Taking it"]);
  expect(screen.queryByRole("alert")).toBeNull();
});

it("takes no answer once its time is over", async () => {
  const { titles } = await showCards(ask(ONE));
  expect(buttonNames()).toEqual(["Take", "Pass"]);
  vi.setSystemTime(NOON + 60_000);
  await expect.poll(titles).toEqual(["Too late: the time for your answer was over"]);
  expect(buttonNames()).toEqual([]);
});

it("still says why a question was withdrawn when a newer verdict takes its place in the feed", async () => {
  const network = scriptNetwork();
  const approved = ask(ONE, { status: "approved", at: NOON });
  network.answer({ [answerTo(ONE)]: { body: { question: approved } } });
  let hear: (entries: LogEntry[]) => void = () => {};
  function Dashboard() {
    const [entries, setEntries] = useState<LogEntry[]>([]);
    hear = setEntries;
    return createElement(QuestionCards, { questions: [ask(ONE)], entries });
  }
  const { user } = await renderPart(createElement(Dashboard));
  const title = () => screen.getByRole("heading").textContent;
  await user.click(screen.getByRole("button", { name: "Take" }));
  await expect.poll(title).toBe("Taking it");
  const withdrawn = ask(ONE, { status: "withdrawn", at: NOON, reason: "filters_changed" });
  act(() => hear([{ seq: 1, event: { kind: "question_closed", at: NOON, question: withdrawn } }]));
  const said = title();
  expect(said).not.toBe("Taking it");
  const { offer } = approved;
  act(() =>
    hear([{ seq: 2, event: { kind: "offer_judged", at: NOON, offer, reasons: [], filtersVersion: 2 } }]),
  );
  expect(title()).toBe(said);
});
