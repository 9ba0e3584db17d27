import { queryOptions } from "@tanstack/react-query";
import type { Answer, Question, QuestionId } from "../../../db/shapes/work/question.ts";
import { questionLinkResponse, questionResponse } from "../../../worker/contract/work/live.ts";
import { api } from "../client/client.ts";
import { linkApi } from "../client/link-api.ts";
import { errorCodeOf } from "../client/request-error.ts";
import { parseResponse } from "../client/request.ts";

const RETRIES = 3;

/** POST /flex/v1/questions/{id}: answers a question, and returns its outcome. */
export async function answerQuestion({
  questionId,
  answer,
}: {
  questionId: QuestionId;
  answer: Answer;
}): Promise<Question> {
  const response = await api.flex.v1.questions[":id"].$post({ param: { id: questionId }, json: { answer } });
  return (await parseResponse(questionResponse, response)).question;
}

/** The question of a text's link. */
export function questionLinkQuery(token: string) {
  return queryOptions({
    queryKey: ["question-link", token],
    queryFn: async () =>
      parseResponse(questionLinkResponse, await linkApi("Link", token).flex.v1["question-link"].$get()),
    retry: (failures, error) => failures < RETRIES && errorCodeOf(error) !== "undo_expired",
    staleTime: 0,
  });
}

/** POST /flex/v1/question-link. */
export async function answerByLink(token: string, answer: Answer) {
  const response = await linkApi("Link", token).flex.v1["question-link"].$post({ json: { answer } });
  return parseResponse(questionLinkResponse, response);
}
