import { describe, expect, it } from "vitest";
import { parseVersioned } from "../../db/shapes/versioned.ts";
import {
  upcastAttemptV0,
  upcastAttemptV1,
  upcastLogEventV0,
  upcastLogEventV1,
} from "../../db/shapes/log/driver-log-upcasts.ts";
import { DEFAULT_NOTIFICATION_PREFERENCES } from "../../db/shapes/notifications.ts";
import { readGoldenRows } from "./golden.ts";
import { STORED_VALUES } from "./stored-values.ts";
import {
  upcastExpiryWarningsV0,
  upcastOutboxItemV0,
  upcastOutboxItemV2,
  upcastOutboxItemV3,
  upcastOwnerV0,
  upcastThrottleV1,
  upcastVerificationV1,
} from "../../durable/driver/storage/row-upcasts.ts";

const golden = Object.entries(
  Object.groupBy(readGoldenRows(), ({ name, version }) => `${name} of version ${version}`),
);

describe("golden rows of the driver's object", () => {
  it.each(golden)("%s parses whole", (_name, rows = []) => {
    const unreadable = rows.filter(({ name, version, value }) => {
      const versioned = STORED_VALUES.get(name);
      if (!versioned) throw new Error(`${name} has golden rows, so it must stay readable`);
      try {
        let isWhole = true;
        parseVersioned(versioned, { version, value }, () => (isWhole = false));
        return !isWhole;
      } catch {
        return true;
      }
    });
    expect(unreadable.map(({ from }) => from)).toEqual([]);
  });
});

describe("the upcast of a wait from version 1", () => {
  it("says that nobody was notified of it, and leaves anything else to the shape", () => {
    expect(upcastThrottleV1({ step: 1 })).toEqual({ step: 1, isNotified: false });
    for (const junk of [null, 7, "text", []]) expect(upcastThrottleV1(junk)).toBe(junk);
  });
});

describe("an upcast from version 1", () => {
  it("dates the latest try of an attempt without an answer, even inside an event", () => {
    const unknown = { createdAt: 5, outcome: { status: "unknown", tries: 1 } };
    const dated = { createdAt: 5, outcome: { status: "unknown", tries: 1, triedAt: 5 } };
    const pending = { createdAt: 5, outcome: { status: "pending" } };
    expect([upcastAttemptV1(unknown), upcastAttemptV1(pending)]).toEqual([dated, pending]);
    expect(upcastLogEventV1({ kind: "attempt_settled", attempt: unknown })).toEqual({
      kind: "attempt_settled",
      attempt: dated,
    });
    for (const junk of [null, 7, "text", [], { outcome: 1 }]) expect(upcastAttemptV1(junk)).toBe(junk);
  });
});

describe("an upcast from version 0", () => {
  const attempt = { attemptId: "0123456789abc-0", settledAt: 5 };
  const upcast = { attemptId: "0123456789abc-0", endedAt: 5 };

  it("keeps the end of an attempt, even inside an event", () => {
    expect(upcastAttemptV0(attempt)).toEqual(upcast);
    expect(upcastLogEventV0({ kind: "attempt_settled", at: 5, attempt })).toEqual({
      kind: "attempt_settled",
      at: 5,
      attempt: upcast,
    });
    expect(upcastLogEventV0({ kind: "phase_changed", at: 5 })).toEqual({ kind: "phase_changed", at: 5 });
  });

  it("keeps pending expiry warnings", () => {
    expect(upcastExpiryWarningsV0({ endsAt: 9, leftMs: [1] })).toEqual({ endsAt: 9, thresholdsMs: [1] });
  });

  it("keeps the body of a text, and other items unchanged", () => {
    expect(upcastOutboxItemV0({ kind: "text", words: "Hello" })).toEqual({ kind: "text", body: "Hello" });
    expect(upcastOutboxItemV0({ kind: "other", words: 1 })).toEqual({ kind: "other", words: 1 });
    const text = { kind: "text", body: "Hello" };
    expect(upcastOutboxItemV2(text)).toEqual({ ...text, notifications: 1 });
    expect(upcastOutboxItemV2({ kind: "other" })).toEqual({ kind: "other" });
    expect(upcastOutboxItemV3(text)).toEqual({ ...text, about: null });
    expect(upcastOutboxItemV3({ kind: "other" })).toEqual({ kind: "other" });
  });

  it("of a verification dates its request long ago", () => {
    expect(upcastVerificationV1({ url: null })).toEqual({ url: null, since: 0 });
    expect(upcastVerificationV1(null)).toBeNull();
  });

  it("adds the first default preferences, and keeps chosen ones", () => {
    const { question: _added, ...first } = DEFAULT_NOTIFICATION_PREFERENCES;
    expect(upcastOwnerV0({ phoneNumber: "+15550100101" })).toEqual({
      phoneNumber: "+15550100101",
      notifications: first,
    });
    expect(upcastOwnerV0({ notifications: "chosen" })).toEqual({ notifications: "chosen" });
  });

  it.each([upcastAttemptV0, upcastLogEventV0, upcastExpiryWarningsV0, upcastOutboxItemV0, upcastOwnerV0])(
    "leaves what is no such value to the shape (%#)",
    (upcastV0) => {
      for (const junk of [null, 7, "text", [], [{ settledAt: 1 }]]) expect(upcastV0(junk)).toBe(junk);
    },
  );
});
