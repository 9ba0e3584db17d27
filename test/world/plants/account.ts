import type { Plant } from "./plant.ts";

/** Of the link to the platform, its tokens, and what ends with them. */
export const ACCOUNT_PLANTS: readonly Plant[] = [
  {
    name: "two 401 in a row sign the driver out",
    scene: "gateway refuses twice",
    patches: [
      {
        file: "durable/platform/token-manager.ts",
        find: `return repeated.kind === "signed_out" ? toUnreachable(repeated) : repeated;`,
        replace: `return repeated;`,
      },
    ],
    expect: /healthy platform is polled \/ after/,
  },
  {
    name: "the answer of an accept that was under way at unlinking is dropped",
    scene: "slow accept, then unlinked",
    patches: [
      {
        file: "durable/engine/attempts/attempts.ts",
        find: `if (!attempt) return applyLateOutcome(transition, id, outcome);`,
        replace: `if (!attempt) return "done";`,
      },
    ],
    expect: /every effect reaches/,
  },
  {
    name: "unlinking says goodbye before it stops",
    scene: "farewell unanswered",
    patches: [
      {
        file: "durable/driver/driver.ts",
        find: `return this.#parts.offboarding.unlink();`,
        replace: `return this.#parts.deps.sleep(8_000).then(() => this.#parts.offboarding.unlink());`,
      },
    ],
    expect: /none after off.* \/ unlink/,
  },
  {
    name: "deleting the account says goodbye before it stops",
    scene: "farewell unanswered",
    patches: [
      {
        file: "durable/driver/driver.ts",
        find: `return this.#parts.offboarding.deleteAccount();`,
        replace: `return this.#parts.deps.sleep(8_000).then(() => this.#parts.offboarding.deleteAccount());`,
      },
    ],
    expect: /none after off.* \/ delete/,
  },
  {
    name: "a refresh that answers 400 once loses the offer",
    scene: "token dies at the accept",
    patches: [
      {
        file: "durable/platform/token-manager.ts",
        find: `return result.kind === "refused" ? toUnreachable(result) : result;`,
        replace: `return result;`,
      },
    ],
    expect: /wanted offer not tried/,
  },
  {
    name: "an accept leaves although the driver was switched off while its token was refreshed",
    scene: "changed while the token is refreshed",
    patches: [
      {
        file: "durable/driver/event-loop.ts",
        find: `maySend(attemptId)\n`,
        replace: `maySend !== undefined\n`,
      },
    ],
    expect: /none after off/,
  },
  {
    name: "an accept leaves although filters saved while its token was refreshed refuse it",
    scene: "changed while the token is refreshed",
    patches: [
      {
        file: "durable/engine/attempts/unsettled-attempts.ts",
        find: `isCallable(state, now) && isStillWanted(state, attempt, now);`,
        replace: `isCallable(state, now) && activeProfile(state, now) !== null;`,
      },
    ],
    expect: /filters in force \/ filters/,
  },
  {
    name: "what arrives after the deletion of the account is stored",
    scene: "farewell unanswered",
    patches: [
      {
        file: "durable/driver/ownership.ts",
        find: `if (revision === null || deletions !== this.#deletions)`,
        replace: `if (revision === null && deletions < 0)`,
      },
    ],
    expect: /stored after deletion/,
  },
  {
    name: "a block of the account before that was given back is taken again",
    scene: "given back",
    patches: [
      {
        file: "durable/engine/link.ts",
        find: `  leaveBlocksBehind(transition);\n`,
        replace: `  void leaveBlocksBehind;\n`,
      },
    ],
    expect: /what is given back stays so/,
  },
  {
    name: "an account is shown the offers of the one before",
    scene: "another account",
    patches: [
      {
        file: "durable/engine/link.ts",
        find: `    transient: { ...INITIAL_TRANSIENT_STATE, quota, polls, lastPollAt },`,
        replace: `    transient: { ...transition.state.transient, quota, polls, lastPollAt },`,
      },
      {
        file: "durable/engine/link.ts",
        find: `    verdicts: new Map(),\n    transient`,
        replace: `    transient`,
      },
    ],
    expect: /shown to another account/,
  },
];
