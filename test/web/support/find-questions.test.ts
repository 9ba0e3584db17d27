import { expect, it } from "vitest";
import { findQuestions } from "../../../web/features/support/questions.ts";

const question = (id: string, ask: string, answer: string) => ({ id, ask: () => ask, answer: () => answer });
const QUESTIONS = [
  question("raffle", "¿Cómo funciona el sorteo?", "Cada pago completo del plan de 14 días participa."),
  question("days", "¿Qué es un día de servicio?", "24 horas."),
];

const find = (query: string) => findQuestions(QUESTIONS, { query, product: "Jornada" }).map(({ id }) => id);

it.each([
  ["", ["raffle", "days"]],
  ["  ", ["raffle", "days"]],
  ["SORTEO", ["raffle"]],
  ["como dia", ["raffle"]],
  ["dia", ["raffle", "days"]],
  ["servicio 24", ["days"]],
  ["bitcoin", []],
])("finds questions by all words, without accents or case: %j", (query, ids) => {
  expect(find(query)).toEqual(ids);
});
