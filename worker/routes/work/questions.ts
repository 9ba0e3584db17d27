import { Hono } from "hono";
import type { LinkedQuestion, QuestionState } from "../../../db/shapes/work/question.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import {
  answerInput,
  questionParams,
  type QuestionLinkResponse,
  type QuestionResponse,
} from "../../contract/work/live.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { opens } from "../../http/gate/gate.ts";
import { limitAddress } from "../../http/rate-limiter.ts";
import { byQuestionLink } from "../../http/tokens/owner-link.ts";
import { validate } from "../../http/validate.ts";
import { callerObject } from "../caller.ts";

/** A driver's answers from the dashboard. */
export const questionRoutes = new Hono<AppEnv>().post(
  "/:id",
  validate("param", questionParams),
  validate("json", answerInput),
  async (c) => {
    const question = await callerObject(c).answerQuestion(
      c.req.valid("param").id,
      c.req.valid("json").answer,
    );
    if (!question) throw new ApiError("not_found");
    return c.json({ question } satisfies QuestionResponse, 200);
  },
);

/** The same from a push message or a text, without signing in. */
export const questionLinkRoutes = new Hono<AppEnv>()
  .get("/", opens(byQuestionLink), limitAddress, async (c) => {
    const linked = await callerObject(c).linkedQuestion(c.var.questionLink);
    return c.json(toResponse(linked), 200);
  })
  .post("/", opens(byQuestionLink), limitAddress, validate("json", answerInput), async (c) => {
    const { answer } = c.req.valid("json");
    const linked = await callerObject(c).answerLinkedQuestion(c.var.questionLink, answer);
    return c.json(toResponse(linked), 200);
  });

/** @throws {ApiError} if the link has ended */
function toResponse(linked: LinkedQuestion | null): QuestionLinkResponse {
  if (!linked) throw new ApiError("undo_expired");
  return { ...linked, said: formatMessage(linked.language, messageKey(linked.question.state)) };
}

function messageKey(state: QuestionState) {
  return state.status === "withdrawn"
    ? (`question_withdrawn_${state.reason}` as const)
    : (`question_${state.status}` as const);
}
