import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CodeOutcome, InvitationAdmission } from "../../durable/texts/text-door.ts";
import { textInvitation } from "../../worker/rewards/invite.ts";
import { NOW, open, type Checkout } from "../payments/checkout-harness.ts";

const FRIEND = "+15550203333";

let at: Checkout;
beforeEach(() => {
  at = open();
});

/** Invites the number, about whose text the gateway's door answers so. */
async function invite(admission: InvitationAdmission, meanwhile = () => {}): Promise<string> {
  const deps = {
    ...at.checkout.deps,
    texts: { ...at.checkout.deps.texts, admitInvitation: async () => admission },
  };
  const context = { ...at.checkout, deps, record: await at.driver(), address: null };
  meanwhile();
  return textInvitation(context, { phoneNumber: FRIEND, hasTrial: false });
}

describe("an invited number that gets no text now", () => {
  it.each([
    ["stopped", "had_one", 0],
    ["number", "number", null],
    ["limit", "limit", null],
    ["ceiling", "limit", null],
  ] as const)("because of %s is answered as %s", async (reason, answer, textedAt) => {
    expect(await invite({ kind: "refused", reason })).toBe(answer);
    // A number whose owner wants no texts is not tried again; the others are.
    expect(at.rows(`SELECT phone_number, texted_at FROM invited_numbers`)).toEqual([
      { phone_number: FRIEND, texted_at: textedAt },
    ]);
  });
});

it("an invited number whose inviter deletes the account meanwhile gets no text, and may be invited by others", async () => {
  const send = vi.fn<() => Promise<CodeOutcome>>();
  const cancel = vi.fn<() => Promise<undefined>>();
  const leave = () => at.run(`DELETE FROM users`);
  expect(await invite({ kind: "admitted", send, cancel }, leave)).toBe("failed");
  expect([send.mock.calls.length, cancel.mock.calls.length]).toEqual([0, 1]);
  expect(at.rows(`SELECT texted_at FROM invited_numbers`)).toEqual([{ texted_at: null }]);
});

describe("an invited number whose text the gateway", () => {
  const failed = (reason: "number" | "stopped" | "gateway", mayArrive = false) =>
    ({ kind: "failed", reason, mayArrive }) as const;

  it.each<[string, CodeOutcome, answer: string, textedAt: number | null]>([
    ["sends", { kind: "sent" }, "sent", NOW],
    ["may have sent", failed("gateway", true), "sent", NOW],
    ["refuses because its owner wants none", failed("stopped"), "had_one", 0],
    ["refuses for good", failed("number"), "had_one", 0],
    ["doesn't send now", failed("gateway"), "failed", null],
  ])("%s is answered, and tried again only in the last case", async (_what, outcome, answer, textedAt) => {
    const send = async () => outcome;
    expect(await invite({ kind: "admitted", send, cancel: async () => undefined })).toBe(answer);
    expect(at.rows(`SELECT texted_at FROM invited_numbers`)).toEqual([{ texted_at: textedAt }]);
  });
});
