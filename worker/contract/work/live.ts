import * as z from "zod/mini";
import { liveTicket } from "../../../db/shapes/work/live.ts";
import { answer, linkedQuestion, question, questionId } from "../../../db/shapes/work/question.ts";
import type { ApiRoute } from "../api-route.ts";

/** The live connection. */
export const LIVE_ROUTES = {
  "POST /flex/v1/live/ticket": {
    summary: "A ticket for one live connection: one use, 30 seconds.",
    auth: "bearer",
    responses: { 200: liveTicket },
    errors: [],
  },
  "GET /flex/v1/live": {
    summary:
      "The live connection: a WebSocket with the subprotocols `jornada.live.v1` and `ticket.<ticket>`. Its messages are ServerMessage and ClientMessage.",
    auth: "ticket",
    responses: { 101: null },
    errors: ["invalid_request", "forbidden"],
  },
} as const satisfies Record<string, ApiRoute>;

/** The path of POST /flex/v1/questions/{id}. */
export const questionParams = z.object({ id: questionId });

/** POST /flex/v1/questions/{id} and /flex/v1/question-link. */
export const answerInput = z.object({ answer });

/** The question after an answer. One that was answered before, or too late, is as it was by then. */
export const questionResponse = z.object({ question });
export type QuestionResponse = z.infer<typeof questionResponse>;

/** The same by a link, and in a few words of its language, for where there is no page. */
export const questionLinkResponse = z.extend(linkedQuestion, { said: z.string() });
export type QuestionLinkResponse = z.infer<typeof questionLinkResponse>;

/** The driver's answers to questions about offers. */
export const QUESTION_ROUTES = {
  "POST /flex/v1/questions/{id}": {
    summary: "Answers a question about an offer. Only the first answer in time has an effect.",
    auth: "bearer",
    params: questionParams,
    body: answerInput,
    responses: { 200: questionResponse },
    errors: ["not_found"],
  },
  "GET /flex/v1/question-link": {
    summary: "The question that a link in a push message or a text answers. Reading it changes nothing.",
    auth: "owner_link",
    responses: { 200: questionLinkResponse },
    errors: ["undo_expired"],
  },
  "POST /flex/v1/question-link": {
    summary:
      "Answers that question. The link ends with the browser's sign-in, or with the number that got it.",
    auth: "owner_link",
    body: answerInput,
    responses: { 200: questionLinkResponse },
    errors: ["undo_expired"],
  },
} as const satisfies Record<string, ApiRoute>;
