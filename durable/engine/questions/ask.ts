import * as z from "zod/mini";
import { HOUR_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { placeOf } from "../../../db/shapes/log/attempt.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import { questionId, type Question } from "../../../db/shapes/work/question.ts";
import { judgeOffers } from "../verdicts/judge.ts";
import { updateState, type Transition } from "../state/transition.ts";
import { questionsLeft, withQuestion } from "./question-list.ts";

/** An offer to ask about, and how long its rule lets a question wait. */
export type Askable = { offer: Offer; askSeconds: number };

/**
 * Asks the driver about offers, as many as the hour has room for. The others are only told of: by one message an hour, and in
 * the log.
 */
export function askAbout(transition: Transition, askable: readonly Askable[], filtersVersion: number): void {
  const { now } = transition.ctx;
  const { left, moreAt } = questionsLeft(transition.state, now);
  const asked = askable.slice(0, left);
  for (const { offer, askSeconds } of asked) {
    const question = addQuestion(transition, { offer, filtersVersion, seconds: askSeconds });
    transition.log.push({ kind: "question_asked", at: now, question });
    transition.notifications.push({ kind: "asked", question });
  }
  tellOnly(
    transition,
    askable.slice(left).map(({ offer }) => offer),
    { filtersVersion, moreAt },
  );
}

function tellOnly(
  transition: Transition,
  offers: readonly Offer[],
  { filtersVersion, moreAt }: { filtersVersion: number; moreAt: EpochMs },
): void {
  const [first] = offers;
  if (!first) return;
  const { now } = transition.ctx;
  for (const offer of offers) addQuestion(transition, { offer, filtersVersion, seconds: 0 });
  judgeOffers(transition, offers);
  const { questionLimitToldAt: toldAt, warehouses } = transition.state;
  if (toldAt !== null && Math.abs(now - toldAt) < HOUR_MS) return;
  updateState(transition, { questionLimitToldAt: now });
  const place = placeOf(first, warehouses);
  transition.notifications.push({ kind: "questions_limited", offer: first, place, until: moreAt });
}

/** @param seconds 0: it is only told of */
function addQuestion(
  transition: Transition,
  { offer, filtersVersion, seconds }: { offer: Offer; filtersVersion: number; seconds: number },
): Question {
  const { now } = transition.ctx;
  const { questions, questionSeq, keyPrefix, warehouses } = transition.state;
  const question: Question = {
    questionId: z.parse(questionId, `${keyPrefix}-q${questionSeq}`),
    offer,
    place: placeOf(offer, warehouses),
    filtersVersion,
    askedAt: now,
    closesAt: Math.min(now + seconds * 1000, offer.expiresAt),
    state: seconds === 0 ? { status: "told", at: now } : { status: "waiting" },
  };
  updateState(transition, {
    questionSeq: questionSeq + 1,
    questions: withQuestion(questions, question, now),
  });
  return question;
}
