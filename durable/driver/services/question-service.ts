import type { Answer, LinkedQuestion, Question, QuestionId } from "../../../db/shapes/work/question.ts";
import type { Deps } from "../../deps.ts";
import {
  channelName,
  findMarked,
  type QuestionChannel,
  type QuestionLink,
} from "../../texts/question-link.ts";
import type { Alarm } from "../alarm.ts";
import type { EventLoop } from "../event-loop.ts";
import type { Machine } from "../machine.ts";
import type { Store } from "../storage/store.ts";

type QuestionServiceDeps = {
  deps: Pick<Deps, "now">;
  store: Pick<Store, "pushSubscriptions">;
  machine: Machine;
  loop: EventLoop;
  alarm: Alarm;
};

/** The driver's answers to questions about offers, from the dashboard or by the link of a push message or a text. */
export class QuestionService {
  readonly #deps: QuestionServiceDeps;

  constructor(deps: QuestionServiceDeps) {
    this.#deps = deps;
  }

  /** The question after this answer; null if there is none. */
  async answer(questionId: QuestionId, answer: Answer): Promise<Question | null> {
    const { loop, alarm } = this.#deps;
    if (!this.#find(questionId)) return null;
    loop.dispatch({ kind: "question_answered", questionId, answer });
    await alarm.set();
    return this.#find(questionId);
  }

  /** The question of a link; null if it is not known any more, or the browser or the number that got it isn't the driver's. */
  async ofLink({ question: mark, channel }: QuestionLink): Promise<LinkedQuestion | null> {
    const { machine } = this.#deps;
    const { owner, state } = machine;
    if (owner === null || !(await findMarked(this.#channels(), channel, channelName))) return null;
    const found = await findMarked(state.questions, mark, ({ questionId }) => questionId);
    const question = found && this.#find(found.questionId);
    return question ? { question, language: owner.language } : null;
  }

  async answerLink(link: QuestionLink, answer: Answer): Promise<LinkedQuestion | null> {
    const linked = await this.ofLink(link);
    const question = linked && (await this.answer(linked.question.questionId, answer));
    return linked && question && { ...linked, question };
  }

  /** Where a question can have been sent that may be answered from there now. */
  #channels(): QuestionChannel[] {
    const { store, machine, deps } = this.#deps;
    const browsers = store.pushSubscriptions
      .list(deps.now())
      .map(({ endpoint, session }) => ({ kind: "push" as const, endpoint, sessionId: session?.id ?? null }));
    const phoneNumber = machine.owner?.phoneNumber;
    return phoneNumber === undefined ? browsers : [...browsers, { kind: "text" as const, phoneNumber }];
  }

  #find(questionId: QuestionId): Question | null {
    return this.#deps.machine.state.questions.find((known) => known.questionId === questionId) ?? null;
  }
}
