import type { Offer } from "../../../db/shapes/work/offer.ts";
import type { Question } from "../../../db/shapes/work/question.ts";
import type { Reason } from "../../../db/shapes/work/verdict.ts";
import { ASK_SECONDS, strongestAction, type WantedAction } from "../../../db/shapes/work/rule-action.ts";
import type { Match } from "../verdicts/match.ts";
import { questionAbout } from "./question-list.ts";

/**
 * Every reason for which an offer isn't taken: the end of a question about it, before what the filters have against it; or,
 * where that is nothing, that they only tell of it.
 */
export function reasonsAgainst(offer: Offer, match: Match, questions: readonly Question[]): Reason[] {
  const answered = reasonOfQuestion(questions, offer);
  if (answered) return [answered, ...match.reasons];
  const tells = match.reasons.length === 0 ? reasonToTell(match) : null;
  return tells ? [tells] : match.reasons;
}

/** The reason that a question about an offer left, how it ended: it is not taken, whatever the filters say. */
function reasonOfQuestion(questions: readonly Question[], offer: Offer): Reason | null {
  const question = questions.length === 0 ? undefined : questionAbout(questions, offer);
  if (!question) return null;
  const { state, askedAt } = question;
  switch (state.status) {
    case "passed":
    case "unanswered":
      return { code: state.status, rule: askedAt, offer: state.at };
    case "told":
      return { code: "only_told", rule: "ask" };
    default:
      return null;
  }
}

/** The reason against an offer that fits no rule but such as only tell of it. */
function reasonToTell(match: Pick<Match, "rules">): Reason | null {
  return wantedAction(match).action === "tell" ? { code: "only_told", rule: "tell" } : null;
}

/** The strongest action of the rules that let an offer through. */
export function wantedAction({ rules }: Pick<Match, "rules">): WantedAction {
  const actions = rules.map(({ requirements }) => requirements);
  return strongestAction(actions) ?? { action: "take", askSeconds: ASK_SECONDS.usual };
}
