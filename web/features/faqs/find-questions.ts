import type { Question } from "./first-questions.ts";

/** The questions that have each of the words, in what is asked or answered; accents and case don't matter. */
export function findQuestions(
  questions: readonly Question[],
  { query, product }: { query: string; product: string },
): readonly Question[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  return questions.filter(({ ask, answer }) => {
    const text = fold(`${ask({ product })} ${answer({ product })}`);
    return words.every((word) => text.includes(word));
  });
}

function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
