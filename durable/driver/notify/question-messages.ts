import { questionTimeLeft, type Question } from "../../../db/shapes/work/question.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import { formatUntil } from "../../../locales/format.ts";
import type { DriverNotification } from "../../engine/state/types.ts";
import type { PushMessage } from "../../messaging/push.ts";
import { blockValues, withoutAccents, type BlockReading } from "./block-values.ts";

/** Where the link of a text leads; its token follows when it is sent. */
const LINK_PATH = "/q#";
const HOME_PATH = "/flex/dashboard";
/** An offer that is only told of is worth looking at for some minutes. */
const TOLD_TTL_SECONDS = 600;

type QuestionContext = BlockReading & { productName: string; publicUrl: string };

/** The question as a text, whose last word is the link without its token. */
export function askedText(question: Question, context: QuestionContext): string {
  const { language, productName: product, publicUrl, now } = context;
  const { start, ...values } = blockValues(question.offer, question.place, context);
  return formatMessage(language, "text_asked", {
    product,
    ...values,
    start: withoutAccents(start),
    seconds: secondsLeft(question, now),
    url: `${publicUrl}${LINK_PATH}`,
  });
}

/** A question as a push message with its two answers, or offers that are only told of. */
export function questionPush(
  notification: Extract<DriverNotification, { kind: "asked" | "questions_limited" | "offers_told" }>,
  context: QuestionContext,
): PushMessage {
  const { language, now, timeZone } = context;
  switch (notification.kind) {
    case "asked": {
      const { question } = notification;
      const { questionId, closesAt, offer, place } = question;
      const seconds = secondsLeft(question, now);
      return {
        data: {
          title: formatMessage(language, "push_asked_title"),
          body: formatMessage(language, "push_asked", { ...blockValues(offer, place, context), seconds }),
          url: HOME_PATH,
          tag: `question:${questionId}`,
          event: "question",
          question: {
            questionId,
            closesAt,
            take: formatMessage(language, "question_take"),
            pass: formatMessage(language, "question_pass"),
            unsent: formatMessage(language, "question_unsent"),
          },
        },
        ttlSeconds: seconds,
        urgency: "high",
      };
    }
    case "questions_limited": {
      const { offer, place, until } = notification;
      return {
        data: {
          title: formatMessage(language, "push_questions_limited_title"),
          body: formatMessage(language, "push_questions_limited", {
            ...blockValues(offer, place, context),
            time: formatUntil(language, until, { timeZone, now }),
          }),
          url: HOME_PATH,
          tag: "questions",
          event: "question",
        },
        ttlSeconds: TOLD_TTL_SECONDS,
        urgency: "normal",
      };
    }
    case "offers_told": {
      const { offer, place, count } = notification;
      const values = blockValues(offer, place, context);
      return {
        data: {
          title: formatMessage(language, "push_offers_told_title"),
          body:
            count > 1
              ? formatMessage(language, "push_offers_told_more", { ...values, count: count - 1 })
              : formatMessage(language, "push_offers_told", values),
          url: HOME_PATH,
          tag: `told:${offer.offerId}`,
          event: "question",
        },
        ttlSeconds: TOLD_TTL_SECONDS,
        urgency: "high",
      };
    }
  }
}

function secondsLeft(question: Question, now: number): number {
  return Math.ceil(questionTimeLeft(question, now) / 1000);
}
