import { m } from "../../messages/messages.js";
import { FIRST_QUESTIONS, type Question } from "./question-list.tsx";

/** All questions, in the order of the page. */
export const QUESTIONS: readonly Question[] = [
  ...FIRST_QUESTIONS.slice(0, -1),
  { id: "guarantee", ask: m.faqs_guarantee, answer: m.faqs_guarantee_answer },
  { id: "modes", ask: m.faqs_modes, answer: m.faqs_modes_answer },
  { id: "arrived", ask: m.faqs_arrived, answer: m.faqs_arrived_answer },
  { id: "cancel", ask: m.faqs_cancel, answer: m.faqs_cancel_answer },
  { id: "down", ask: m.faqs_down, answer: m.faqs_down_answer, saysDaysBack: true },
  { id: "refunds", ask: m.faqs_refunds, answer: m.faqs_refunds_answer },
  { id: "points", ask: m.faqs_points, answer: m.faqs_points_answer },
  { id: "invitations", ask: m.faqs_invitations, answer: m.faqs_invitations_answer },
  { id: "raffle", ask: m.faqs_raffle, answer: m.faqs_raffle_answer },
  { id: "spots", ask: m.faqs_spots, answer: m.faqs_spots_answer },
  { id: "privacy", ask: m.faqs_privacy, answer: m.faqs_privacy_answer },
  ...FIRST_QUESTIONS.slice(-1),
];

/** The questions that have each of the words, in what is asked or answered; accents and case don't matter. */
export function findQuestions(
  questions: readonly Question[],
  { query, product }: { query: string; product: string },
): readonly Question[] {
  const words = fold(query).split(/\s+/);
  return questions.filter(({ ask, answer, saysDaysBack }) => {
    const more = saysDaysBack ? m.terms_days_back({ product, length: "" }) : "";
    const text = fold(`${ask({ product })} ${answer({ product })} ${more}`);
    return words.every((word) => text.includes(word));
  });
}

function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The address names the answer that was opened last, so that it can be shared. */
export function nameInAddress(id: string, isOpen: boolean): void {
  const url = new URL(location.href);
  if (!isOpen && url.hash !== `#${id}`) return;
  url.hash = isOpen ? id : "";
  // The prototype's own: it is no navigation for the router, which replaces the instance's.
  History.prototype.replaceState.call(history, history.state, "", url);
}
