import type { Plant } from "./plant.ts";

/** Of questions to the driver. */
export const QUESTION_PLANTS: readonly Plant[] = [
  {
    name: "a no is taken for a yes",
    asks: true,
    patches: [
      {
        file: "durable/engine/questions/close.ts",
        find: `  if (answer === "pass") return close(transition, question, { status: "passed", at: now });\n`,
        replace: `  void answer;\n`,
      },
    ],
    expect: /a question has one effect at most.* \/ not approved/,
  },
  {
    name: "a question is answered after its end",
    asks: true,
    patches: [
      {
        file: "durable/engine/questions/close.ts",
        find: `if (question?.state.status !== "waiting") return;`,
        replace: `if (!question || "attemptId" in question.state) return;`,
      },
    ],
    expect: /a question has one effect at most.* \/ not approved/,
  },
  {
    name: "a rule that asks takes",
    asks: true,
    patches: [
      {
        file: "durable/engine/questions/question-reasons.ts",
        find: `return strongestAction(actions) ?? {`,
        replace: `return {`,
      },
    ],
    expect: /a question has one effect at most.* \/ not asked/,
  },
];
