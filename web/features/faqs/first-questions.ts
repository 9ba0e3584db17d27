import { m } from "../../messages/messages.js";

/** A question and its answer; both may name the product. */
export type Question = {
  id: string;
  ask: (slots: { product: string }) => string;
  answer: (slots: { product: string }) => string;
};

/** The most important questions, which the landing page shows too. */
export const FIRST_QUESTIONS: readonly Question[] = [
  { id: "how", ask: m.faqs_how, answer: m.faqs_how_answer },
  { id: "needs", ask: m.faqs_needs, answer: m.faqs_needs_answer },
  { id: "allowed", ask: m.faqs_allowed, answer: m.faqs_allowed_answer },
  { id: "days", ask: m.faqs_days, answer: m.faqs_days_answer },
  { id: "support", ask: m.faqs_support, answer: m.faqs_support_answer },
];
