import { m } from "../../messages/messages.js";
import type { Question } from "./question.ts";

/** What everybody asks before anything else: these stand on the landing page too. */
export const FIRST_QUESTIONS: readonly Question[] = [
  { id: "how", ask: m.faqs_how, answer: m.faqs_how_answer },
  { id: "needs", ask: m.faqs_needs, answer: m.faqs_needs_answer },
  { id: "allowed", ask: m.faqs_allowed, answer: m.faqs_allowed_answer },
  { id: "days", ask: m.faqs_days, answer: m.faqs_days_answer },
  { id: "support", ask: m.faqs_support, answer: m.faqs_support_answer },
];
