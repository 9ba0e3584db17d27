import type { Plant } from "./plant.ts";

/** Of what the platform allows and asks us to wait. */
export const QUOTA_PLANTS: readonly Plant[] = [
  {
    name: "the quota is not spaced",
    scene: "quota used up",
    patches: [
      {
        file: "durable/engine/quota/pace.ts",
        find: `const evenAt = Math.max(learned.blockedUntil, leavesAt, last + (calls * windowMs) / share);`,
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
        file: "durable/engine/quota/window.ts",
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
        file: "durable/platform/request.ts",
        find: `if (status >= 500) return { kind: "unreachable", ...stated, ...(cause && { cause }) };`,
        replace: `if (status >= 500) return { kind: "unreachable", ...(cause && { cause }) };`,
      },
    ],
    expect: /quota kept \/ stated wait of a 503/,
  },
  {
    name: "the ladder climbs although the platform states its wait",
    scene: "refused again and again",
    patches: [
      {
        file: "durable/engine/state/cadence.ts",
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
        file: "durable/engine/quota/quota.ts",
        find: `MAX_WAIT_MS: DurationMs = 4 * HOUR_MS`,
        replace: `MAX_WAIT_MS: DurationMs = 90_000 * HOUR_MS`,
      },
    ],
    expect: /healthy platform is polled \/ after/,
  },
  {
    name: "the quota is forgotten with the object's memory",
    scene: "quota used up",
    patches: [
      {
        file: "durable/engine/quota/memory.ts",
        find: `if (!quotaMemory) return`,
        replace: `if (!quotaMemory || now > 0) return`,
      },
    ],
    expect: /quota kept/,
  },
  {
    name: "the parts of a long list are asked for at once and not counted",
    scene: "too long for one answer",
    patches: [
      {
        file: "durable/engine/poll.ts",
        find: `notePollSent(transition, sentAt, partsSentAt);`,
        replace: `notePollSent(transition, sentAt, partsSentAt.slice(0, 0));`,
      },
      {
        file: "durable/engine/quota/pace.ts",
        find: `return Math.max(1, Math.floor(intervalMs / steadyGapMs(learned)));`,
        replace: `return 99;`,
      },
    ],
    expect: /quota kept/,
  },
  {
    name: "saved filters forget the quota",
    scene: "quota used up",
    patches: [
      {
        file: "durable/engine/machine.ts",
        find: `updateTransient(transition, { etag: null, triedOffers: new Set() });`,
        replace: `updateState(transition, { quotaWaitUntil: null, transient: { ...transition.state.transient, quota: null, polls: [] } });`,
      },
    ],
    expect: /quota kept/,
  },
  {
    name: "a window that rolls is taken for one that follows another",
    scene: "quota used up",
    patches: [
      {
        file: "durable/engine/quota/learning.ts",
        find: `  const rolls = learnRolling(known, answer);`,
        replace: `  const rolls = learnRolling(known, answer) && answer.now < 0;`,
      },
    ],
    expect: /quota kept/,
  },
  {
    name: "a date is read against our own clock",
    scene: "busy service",
    patches: [
      {
        file: "durable/platform/headers.ts",
        find: `(parseHttpDate(headers.get("date")?.trim() ?? "") ?? now)`,
        replace: `now`,
      },
    ],
    expect: /stated wait of a 503|healthy platform is polled/,
  },
  {
    name: "the reset of a refusal is not read",
    scene: "refused until the reset",
    patches: [
      {
        file: "durable/platform/headers.ts",
        find: `return resetMs === null ? null : now + Math.min(resetMs, MAX_WAIT_MS);`,
        replace: `return resetMs === null || now > 0 ? null : now + Math.min(resetMs, MAX_WAIT_MS);`,
      },
    ],
    expect: /short wait/,
  },
  {
    name: "the quota of an answer that can't be read is not read",
    test: "test/engine/waits.test.ts",
    patches: [
      {
        file: "durable/engine/poll.ts",
        find: `if (outcome.kind === "unreadable" && outcome.quota) recordQuota`,
        replace: `if (outcome.kind === "unreadable" && outcome.quota && sentAt < 0) recordQuota`,
      },
    ],
    expect: /a quota in an answer that can't be read/,
  },
];
