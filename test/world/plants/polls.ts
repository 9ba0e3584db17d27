import type { Plant } from "./plant.ts";

/** Of what is seen, and how soon. */
export const POLL_PLANTS: readonly Plant[] = [
  {
    name: "a held block in an unknown state makes the list unreadable",
    scene: "strange block",
    patches: [
      {
        file: "durable/engine/machine.ts",
        find: `if (outcome.kind !== "blocks") return applyBlocksFailure(transition, outcome);`,
        replace: `if (outcome.kind !== "blocks") return applyBlocksFailure(transition, outcome);\n  if (outcome.blocks.some(({ status }) => status === "other")) return;`,
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
    name: "a slow accept holds up the polls",
    scene: "slow accept",
    patches: [
      {
        file: "durable/engine/attempts/in-flight.ts",
        find: `const sentAt = transient.inFlight.get(key);`,
        replace: `const accept = [...transient.inFlight].find(([other]) => other.includes("-"));
  const sentAt = transient.inFlight.get(key) ?? (key === "poll" ? accept?.[1] : undefined);`,
      },
    ],
    expect: /healthy platform is polled \/ slow accept/,
  },
  {
    name: "a selfie is asked about once a minute",
    scene: "selfie",
    patches: [
      {
        file: "durable/engine/state/cadence.ts",
        find: `const LATE_VERIFICATION_CHECK_MS = MINUTE_MS;`,
        replace: `const LATE_VERIFICATION_CHECK_MS = MINUTE_MS;\nVERIFICATION_CHECKS.map((check) => Object.assign(check, { everyMs: MINUTE_MS }));`,
      },
    ],
    expect: /healthy platform is polled \/ selfie/,
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
    name: "warehouses are read at linking alone",
    scene: "new warehouse",
    patches: [
      {
        file: "durable/driver/services/warehouse-service.ts",
        find: `!== "linked" || isFresh ||`,
        replace: `!== "linked" || readAt !== null ||`,
      },
    ],
    expect: /wanted offer not tried \(new warehouse\)/,
  },
  {
    name: "turbo's jitter is cut off at the floor",
    scene: "turbo alone",
    patches: [
      {
        file: "durable/engine/state/cadence.ts",
        find: `Math.round(intervalMs * jitter), soonestAt`,
        replace: `Math.round(Math.max(pollFloorMs, intervalMs * jitter)), soonestAt`,
      },
    ],
    expect: /turbo/,
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
    name: "a driver who is back from the selfie waits for the next question",
    scene: "selfie",
    patches: [
      {
        file: "durable/engine/machine.ts",
        find: `      applyReturn(transition);`,
        replace: `      void applyReturn;`,
      },
    ],
    expect: /back from the selfie/,
  },
];
