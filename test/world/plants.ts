import type { Scene } from "./scenes.ts";

/** A mending taken out: text of the product and what stands in its place. */
export type Plant = {
  name: string;
  patches: readonly { file: string; find: string; replace: string }[];
  /** The scene that shows it. */
  scene?: Scene;
  /** The invariant and the cause under which the world must find it. */
  expect: RegExp;
};

/** Faults that the product once had. */
export const PLANTS: readonly Plant[] = [
  {
    name: "a held block in an unknown state makes the list unreadable",
    scene: "strange block",
    patches: [
      {
        file: "durable/platform/parse.ts",
        find: `const status = z.enum(blockStatus.options).catch("other");`,
        replace: `const status = z.enum(blockStatus.options);`,
      },
      {
        file: "durable/platform/parse.ts",
        find: `const unreadable = spans.map(({ startsAt, endsAt }) => ({ startsAt, endsAt }));`,
        replace: `const unreadable = malformed.map(() => ({ startsAt: 0, endsAt: 1 }));\nvoid spans;`,
      },
      {
        file: "durable/engine/machine.ts",
        find: `if (outcome.kind !== "blocks") return applyBlocksFailure(transition, outcome);`,
        replace: `if (outcome.kind !== "blocks") return applyBlocksFailure(transition, outcome);\n  if (outcome.unreadable?.length) return;`,
      },
      {
        file: "durable/engine/machine.ts",
        find: `if (isHeldStale(transition.state, ctx.now)) requestBlocks(transition);\n`,
        replace: `if (isHeldStale(transition.state, ctx.now)) return requestBlocks(transition);\n`,
      },
    ],
    expect: /healthy platform is polled/,
  },
  {
    name: "a block that was given back is taken again",
    scene: "given back",
    patches: [
      { file: "durable/engine/match.ts", find: `if (returned) {`, replace: `if (returned && now < 0) {` },
    ],
    expect: /what is given back stays so/,
  },
  {
    name: "another currency is compared with the filters",
    patches: [
      {
        file: "durable/engine/match.ts",
        find: `const isComparable = offer.currency === currency;`,
        replace: `const isComparable = currency !== "";`,
      },
    ],
    expect: /filters in force \/ currency/,
  },
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
    name: "an accept that was refused after its effect is lost for good",
    scene: "refused after the effect",
    patches: [
      {
        file: "durable/engine/attempts.ts",
        find: `markLost(transition, attempt, { reason: "refused", isDoubted: true });`,
        replace: `markLost(transition, attempt, { reason: "refused", isDoubted: false });`,
      },
    ],
    expect: /every effect reaches/,
  },
  {
    name: "the answer of an accept that was under way at unlinking is dropped",
    scene: "slow accept, then unlinked",
    patches: [
      {
        file: "durable/engine/attempts.ts",
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
        find: `  async unlink(): Promise<void> {\n`,
        replace: `  async unlink(): Promise<void> {\n    await this.#deps.sleep(8_000);\n`,
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
        find: `  async deleteAccount(): Promise<void> {\n`,
        replace: `  async deleteAccount(): Promise<void> {\n    await this.#deps.sleep(8_000);\n`,
      },
    ],
    expect: /none after off.* \/ delete/,
  },
  {
    name: "an attempt in doubt is asked about for ever",
    scene: "in doubt, then off",
    patches: [
      {
        file: "durable/engine/reconcile.ts",
        find: `const isDropped = attempt.outcome.status === "unknown" && attempt.offer.startsAt <= now;`,
        replace: `const isDropped = attempt.outcome.status === "unknown" && attempt.offer.startsAt <= 0;`,
      },
      {
        file: "durable/engine/reconcile.ts",
        find: `heldFetchedAt !== null && hasCallSettled(attempt, heldFetchedAt))`,
        replace: `heldFetchedAt !== null && hasCallSettled(attempt, 0))`,
      },
    ],
    expect: /every attempt settles/,
  },
  {
    name: "a slow accept holds up the polls",
    scene: "slow accept",
    patches: [
      {
        file: "durable/engine/in-flight.ts",
        find: `const sentAt = transient.inFlight.get(key);`,
        replace: `const accept = [...transient.inFlight].find(([other]) => other.includes("-"));
  const sentAt = transient.inFlight.get(key) ?? (key === "poll" ? accept?.[1] : undefined);`,
      },
    ],
    expect: /healthy platform is polled \/ slow accept/,
  },
  {
    name: "an accept that was cut is not repeated at once",
    scene: "cut accept",
    patches: [
      {
        file: "durable/engine/attempts.ts",
        find: `if (attempt.outcome.status === "pending") repeatAtOnce(transition, id);`,
        replace: ``,
      },
    ],
    expect: /every attempt settles \/ repeated late/,
  },
  {
    name: "the offers of one listing are accepted one by one",
    scene: "three at once",
    patches: [
      {
        file: "durable/engine/attempts.ts",
        find: `{ lucrative: 4, secure: 1, masacre: 4 }`,
        replace: `{ lucrative: 1, secure: 1, masacre: 4 }`,
      },
    ],
    expect: /one by one/,
  },
  {
    name: "a selfie is asked about once a minute",
    scene: "selfie",
    patches: [
      {
        file: "durable/engine/cadence.ts",
        find: `const LATE_VERIFICATION_CHECK_MS = MINUTE_MS;`,
        replace: `const LATE_VERIFICATION_CHECK_MS = MINUTE_MS;\nVERIFICATION_CHECKS.map((check) => Object.assign(check, { everyMs: MINUTE_MS }));`,
      },
    ],
    expect: /healthy platform is polled \/ selfie/,
  },
  {
    name: "the quota is not spaced",
    scene: "quota used up",
    patches: [
      {
        file: "durable/engine/quota.ts",
        find: `const evenAt = Math.max(learned.blockedUntil, leavesAt, last + windowMs / share);`,
        replace: `const evenAt = last;`,
      },
    ],
    expect: /quota kept/,
  },
  {
    name: "half of the quota is left unused",
    scene: "quota used up",
    patches: [
      {
        file: "durable/engine/quota.ts",
        find: `const QUOTA_SHARE = 0.9;`,
        replace: `const QUOTA_SHARE = 0.45;`,
      },
    ],
    expect: /quota kept \/ left unused/,
  },
  {
    name: "Retry-After of a 503 is not read",
    scene: "busy service",
    patches: [
      {
        file: "durable/platform/failures.ts",
        find: `if (status >= 500) return { kind: "unreachable", ...stated };`,
        replace: `if (status >= 500) return { kind: "unreachable" };`,
      },
    ],
    expect: /quota kept \/ stated wait of a 503/,
  },
  {
    name: "the ladder climbs although the platform states its wait",
    scene: "refused again and again",
    patches: [
      {
        file: "durable/engine/cadence.ts",
        find: `if (retryAt !== null && (isWaiting || until === null)) return`,
        replace: `if (retryAt !== null && isWaiting) return`,
      },
    ],
    expect: /healthy platform is polled \/ after/,
  },
  {
    name: "ten years are obeyed",
    scene: "asked to wait ten years",
    patches: [
      {
        file: "durable/engine/cadence.ts",
        find: `MAX_WAIT_MS = 4 * HOUR_MS`,
        replace: `MAX_WAIT_MS = 90_000 * HOUR_MS`,
      },
    ],
    expect: /healthy platform is polled \/ after/,
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
    name: "a list over 2 MB is unreadable",
    scene: "very long list",
    patches: [
      {
        file: "durable/platform/http-exchange.ts",
        find: `MAX_BODY_CHARS = 6 * 1024 * 1024`,
        replace: `MAX_BODY_CHARS = 2 * 1024 * 1024`,
      },
    ],
    expect: /wanted offer not tried|healthy platform is polled \/ after/,
  },
  {
    name: "an accept leaves although the driver was switched off while its token was refreshed",
    scene: "changed while the token is refreshed",
    patches: [
      {
        file: "durable/driver/platform-calls.ts",
        find: `maySend(attemptId)\n`,
        replace: `maySend !== undefined\n`,
      },
    ],
    expect: /none after off/,
  },
  {
    name: "a list that is too long for one answer is not asked for by groups",
    scene: "too long for one answer",
    patches: [
      {
        file: "durable/platform/list-offers.ts",
        find: `if (!canSplit) return`,
        replace: `if (canSplit || !canSplit) return`,
      },
    ],
    expect: /wanted offer not tried|healthy platform is polled \/ after/,
  },
  {
    name: "an accept leaves although filters saved while its token was refreshed refuse it",
    scene: "changed while the token is refreshed",
    patches: [
      {
        file: "durable/engine/phase.ts",
        find: `isCallable(state, now) && isStillWanted(state, attempt, now);`,
        replace: `isCallable(state, now) && activeProfile(state, now) !== null;`,
      },
    ],
    expect: /filters in force \/ filters/,
  },
  {
    name: "warehouses are read at linking alone",
    scene: "new warehouse",
    patches: [
      {
        file: "durable/driver/warehouse-service.ts",
        find: `!== "linked" || isFresh ||`,
        replace: `!== "linked" || readAt !== null ||`,
      },
    ],
    expect: /wanted offer not tried \(new warehouse\)/,
  },
  {
    name: "blocks taken by hand are read every five minutes",
    scene: "taken by hand",
    patches: [
      {
        file: "durable/engine/held-blocks.ts",
        find: `HELD_DUE_MS = 20_000`,
        replace: `HELD_DUE_MS = 300_000`,
      },
      {
        file: "durable/engine/held-blocks.ts",
        find: `HELD_STALE_MS = 30_000`,
        replace: `HELD_STALE_MS = 300_000`,
      },
      {
        file: "durable/engine/held-blocks.ts",
        find: `HELD_FRESH_MS = MINUTE_MS`,
        replace: `HELD_FRESH_MS = 6 * MINUTE_MS`,
      },
    ],
    expect: /overlapping|overlap/,
  },
  {
    name: "turbo's jitter is cut off at the floor",
    scene: "turbo alone",
    patches: [
      {
        file: "durable/engine/cadence.ts",
        find: `Math.round(intervalMs * jitter), soonestAt`,
        replace: `Math.round(Math.max(pollFloorMs, intervalMs * jitter)), soonestAt`,
      },
    ],
    expect: /turbo/,
  },
  {
    name: "the quota is forgotten with the object's memory",
    scene: "quota used up",
    patches: [
      {
        file: "durable/engine/quota-memory.ts",
        find: `if (!quotaMemory) return`,
        replace: `if (!quotaMemory || now > 0) return`,
      },
    ],
    expect: /quota kept/,
  },
  {
    name: "what arrives after the deletion of the account is stored",
    scene: "farewell unanswered",
    patches: [
      {
        file: "durable/driver/driver.ts",
        find: `if (revision === null || deletions !== this.#deletions)`,
        replace: `if (revision === null && deletions < 0)`,
      },
    ],
    expect: /stored after deletion/,
  },
  {
    name: "nobody counts the connections",
    scene: "eight at once",
    patches: [
      {
        file: "durable/engine/attempts.ts",
        find: `{ lucrative: 4, secure: 1, masacre: 4 }`,
        replace: `{ lucrative: 9, secure: 1, masacre: 9 }`,
      },
      { file: "durable/runtime/lane.ts", find: `new Lane(4)`, replace: `new Lane(40)` },
      { file: "durable/runtime/lane.ts", find: `other: new Lane(1)`, replace: `other: new Lane(40)` },
      {
        file: "durable/engine/in-flight.ts",
        find: `MAX_ACCEPTS_IN_FLIGHT = 4`,
        replace: `MAX_ACCEPTS_IN_FLIGHT = 9`,
      },
    ],
    expect: /connections/,
  },
  {
    name: "a text is sent before its row is deleted",
    scene: "crash at the accept",
    patches: [
      {
        file: "durable/driver/outbox.ts",
        find: `  store.outbox.remove(row.id);\n  if (!sms) return;`,
        replace: `  if (!sms) return;`,
      },
      {
        file: "durable/driver/outbox.ts",
        find: `if (result.kind === "sent") return;\n  log("warn", "outbox.text.failed"`,
        replace: `store.outbox.remove(row.id);\n  if (result.kind === "sent") return;\n  log("warn", "outbox.text.failed"`,
      },
    ],
    expect: /text twice/,
  },
  {
    name: "what is being sent is sent by the next one too",
    scene: "unlinked while D1 is slow",
    patches: [
      {
        file: "durable/driver/outbox.ts",
        find: `  if (!store.outbox.isDue(row.id, dueBy)) return Promise.resolve();\n`,
        replace: `  void dueBy;\n`,
      },
      { file: "durable/driver/outbox.ts", find: `if (underWay) return underWay;`, replace: `void underWay;` },
    ],
    expect: /text twice/,
  },
  {
    name: "a block of the account before that was given back is taken again",
    scene: "given back",
    patches: [
      {
        file: "durable/engine/machine.ts",
        find: `  leaveBlocksBehind(transition);\n`,
        replace: `  void leaveBlocksBehind;\n`,
      },
    ],
    expect: /what is given back stays so/,
  },
  {
    name: "a weekly limit is not learnt",
    scene: "weekly limit",
    patches: [
      {
        file: "durable/engine/attempts.ts",
        find: `if (outcome.reason === "weekly_limit") learnWeeklyLimit`,
        replace: `if (outcome.reason === "weekly_limit" && !outcome) learnWeeklyLimit`,
      },
    ],
    expect: /weekly limit not learnt/,
  },
  {
    name: "blocks that can't be read hold up the polls",
    scene: "blocks can't be read",
    patches: [
      {
        file: "durable/engine/machine.ts",
        find: `if (outcome.kind !== "blocks") return applyBlocksFailure(transition, outcome);`,
        replace: `if (outcome.kind !== "blocks") return applyFailure(transition, outcome);`,
      },
      {
        file: "durable/engine/machine.ts",
        find: `if (isHeldStale(transition.state, ctx.now)) requestBlocks(transition);\n`,
        replace: `if (isHeldStale(transition.state, ctx.now)) return requestBlocks(transition);\n`,
      },
    ],
    expect: /healthy platform is polled \/ held up/,
  },
  {
    name: "the parts of a long list are not counted",
    scene: "too long for one answer",
    patches: [
      {
        file: "durable/engine/machine.ts",
        find: `notePollSent(transition, sentAt, partsSentAt);`,
        replace: `notePollSent(transition, sentAt, partsSentAt.slice(0, 0));`,
      },
    ],
    expect: /quota kept/,
  },
  {
    name: "an account is shown the offers of the one before",
    scene: "another account",
    patches: [
      {
        file: "durable/engine/machine.ts",
        find: `    transient: { ...INITIAL_TRANSIENT_STATE, quota, polls, lastPollAt },`,
        replace: `    transient: { ...transition.state.transient, quota, polls, lastPollAt },`,
      },
      {
        file: "durable/engine/machine.ts",
        find: `    verdicts: new Map(),\n    transient`,
        replace: `    transient`,
      },
    ],
    expect: /shown to another account/,
  },
  {
    name: "a repeat gets a key of its own",
    scene: "cut accept",
    patches: [
      {
        file: "durable/driver/platform-calls.ts",
        find: "offerId: offer.offerId, attemptId, payAtLeastCents })",
        replace: "offerId: offer.offerId, attemptId: `${attemptId}-${now()}` as never, payAtLeastCents })",
      },
    ],
    expect: /every attempt settles/,
  },
];
