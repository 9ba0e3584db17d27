import type { QuestionState, QuestionStatus, Withdrawal } from "../../../db/shapes/work/question.ts";
import { m } from "../../messages/messages.js";

const WITHDRAWN = {
  offer_gone: m.question_withdrawn_offer_gone,
  offer_changed: m.question_withdrawn_offer_changed,
  filters_changed: m.question_withdrawn_filters_changed,
  other_block: m.question_withdrawn_other_block,
  no_longer_fits: m.question_withdrawn_no_longer_fits,
  stopped: m.question_withdrawn_stopped,
  not_in_time: m.question_withdrawn_not_in_time,
  verification: m.question_withdrawn_verification,
  other: m.question_withdrawn_other,
} satisfies Record<Withdrawal, () => string>;

const STATUSES = {
  waiting: m.question_waiting,
  approved: m.question_approved,
  accepting: m.question_accepting,
  captured: m.question_captured,
  missed: m.question_missed,
  passed: m.question_passed,
  unanswered: m.question_unanswered,
  told: m.question_told,
  other: m.question_other,
} satisfies Record<Exclude<QuestionStatus, "withdrawn">, () => string>;

/** Why a question was withdrawn. */
export function withdrawalMessage(reason: Withdrawal): string {
  return WITHDRAWN[reason]();
}

/** The outcome of a question. */
export function questionMessage(state: QuestionState): string {
  return state.status === "withdrawn" ? withdrawalMessage(state.reason) : STATUSES[state.status]();
}
