import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { DriverOwner } from "../../../db/shapes/profile.ts";
import { driverId, HOUR_MS } from "../../../db/shapes/units.ts";
import { questionId, type Question } from "../../../db/shapes/work/question.ts";
import { QuestionService } from "../../../durable/driver/services/question-service.ts";
import { createKeys } from "../../../durable/runtime/keys.ts";
import {
  makeQuestionLink,
  readQuestionLink,
  type QuestionChannel,
} from "../../../durable/texts/question-link.ts";
import { openStore } from "../../support/runtime/node-store.ts";
import { activeState, makeOffer, NOON } from "../fixtures.ts";

const keys = createKeys(`test:${btoa("k".repeat(32))}`);
const DRIVER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");
const PHONE = "+15550100100";
const idNamed = (name: string) => z.parse(questionId, `question-${name}`);

const asked = (name: string): Question => ({
  questionId: idNamed(name),
  offer: makeOffer(name),
  place: null,
  filtersVersion: 1,
  askedAt: NOON,
  closesAt: NOON + HOUR_MS,
  state: { status: "waiting" },
});

/** The driver's questions, of whom one browser gets pushes until the sign-in of its session ends. */
function open({ phoneNumber = PHONE as string | null, questions = [asked("1"), asked("2")] } = {}) {
  const store = openStore(new DatabaseSync(":memory:"), () => NOON);
  const keysOf = { p256dh: "p", auth: "a" };
  store.pushSubscriptions.add({
    endpoint: "https://push.test/1",
    keys: keysOf,
    session: { id: "s-1", expiresAt: NOON + 1 },
  });
  store.pushSubscriptions.add({
    endpoint: "https://push.test/ended",
    keys: keysOf,
    session: { id: "s-2", expiresAt: NOON },
  });
  store.pushSubscriptions.add({ endpoint: "https://push.test/old", keys: keysOf, session: null });
  const answers: unknown[] = [];
  const machine = {
    owner: phoneNumber === null ? null : ({ phoneNumber, language: "es" } as unknown as DriverOwner),
    state: activeState({ questions }),
  };
  let alarms = 0;
  const service = new QuestionService({
    deps: { now: () => NOON },
    store,
    machine,
    loop: {
      dispatch: (event: { questionId: string; answer: string }) => {
        answers.push([event.questionId, event.answer]);
        machine.state = {
          ...machine.state,
          questions: machine.state.questions.map((known) =>
            known.questionId === event.questionId
              ? { ...known, state: { status: "passed", at: NOON } }
              : known,
          ),
        };
      },
    },
    alarm: {
      set: async () => {
        alarms += 1;
      },
    },
  } as unknown as ConstructorParameters<typeof QuestionService>[0]);
  return { service, answers, machine, alarms: () => alarms };
}

const BY_TEXT: QuestionChannel = { kind: "text", phoneNumber: PHONE };
const byPush = (endpoint: string, sessionId: string | null): QuestionChannel => ({
  kind: "push",
  endpoint: `https://push.test/${endpoint}`,
  sessionId,
});

/** The link as its token brings it. */
async function linkOf(name: string, channel: QuestionChannel) {
  const token = await makeQuestionLink(keys, { driverId: DRIVER, questionId: idNamed(name), channel });
  const link = await readQuestionLink(keys, token ?? "");
  if (!link) throw new Error("no link");
  return link;
}

describe("the link of a question", () => {
  it.each<[string, QuestionChannel, isOpen: boolean]>([
    ["the driver's number", BY_TEXT, true],
    ["a number that was the driver's", { kind: "text", phoneNumber: "+15550100101" }, false],
    ["a browser of a sign-in that lasts", byPush("1", "s-1"), true],
    ["a browser that subscribed before sign-ins were kept", byPush("old", null), true],
    ["a browser whose sign-in ended", byPush("ended", "s-2"), false],
    ["a browser whose subscription is another sign-in's now", byPush("1", "s-0"), false],
    ["a browser that is no longer subscribed", byPush("2", "s-1"), false],
  ])("to %s opens and answers it: %s", async (_name, channel, isOpen) => {
    const { service, answers } = open();
    const link = await linkOf("2", channel);
    const question = asked("2");
    expect(await service.ofLink(link)).toEqual(isOpen ? { question, language: "es" } : null);
    const passed = { ...question, state: { status: "passed", at: NOON } };
    expect(await service.answerLink(link, "pass")).toEqual(
      isOpen ? { question: passed, language: "es" } : null,
    );
    expect(answers).toEqual(isOpen ? [[idNamed("2"), "pass"]] : []);
  });

  it.each([
    ["is forgotten", { questions: [asked("1")] }],
    ["is of a driver who is gone", { phoneNumber: null }],
  ])("opens nothing where the question %s", async (_name, given) => {
    const { service, answers } = open(given);
    const link = await linkOf("2", BY_TEXT);
    expect([await service.ofLink(link), await service.answerLink(link, "take")]).toEqual([null, null]);
    expect(answers).toEqual([]);
  });
});

describe("an answer from the dashboard", () => {
  it("is noted, and what follows from it is scheduled", async () => {
    const { service, answers, alarms } = open();
    expect(await service.answer(idNamed("1"), "take")).toMatchObject({ questionId: idNamed("1") });
    expect([answers, alarms()]).toEqual([[[idNamed("1"), "take"]], 1]);
  });

  it("to a question that is not known has no effect", async () => {
    const { service, answers, alarms } = open();
    expect(await service.answer(idNamed("3"), "take")).toBeNull();
    expect([answers, alarms()]).toEqual([[], 0]);
  });
});
