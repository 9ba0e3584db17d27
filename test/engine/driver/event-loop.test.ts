import { expect, it, vi } from "vitest";
import { EventLoop } from "../../../durable/driver/event-loop.ts";
import type { PlatformCall } from "../../../durable/engine/state/types.ts";
import { NOON } from "../fixtures.ts";

/** A loop whose machine reads the blocks once. A stand-in is only as much of each part as the loop uses. */
function open() {
  const seen: string[] = [];
  const calls: PlatformCall[][] = [[{ kind: "read_blocks", from: NOON, to: NOON + 1 }]];
  const answer = Promise.withResolvers<{ kind: string; retryAt?: number }>();
  const machine = {
    state: { link: { status: "linked" } },
    owner: null,
    step: ({ kind }: { kind: string }) => {
      seen.push(kind);
      return calls.shift() ?? [];
    },
  };
  const parts = {
    deps: { now: () => NOON, log: () => seen.push("error logged"), platform: {} },
    machine,
    account: { request: () => answer.promise },
    alarm: { set: async () => void seen.push("alarm set") },
  } as unknown as ConstructorParameters<typeof EventLoop>[0];
  return { loop: new EventLoop(parts), answer, seen, machine };
}

it("sets the alarm once a call has ended, which had been set for the call's time-out", async () => {
  const { loop, answer, seen } = open();
  const settled = loop.settle({ kind: "woke" });
  expect([seen, loop.isBusy]).toEqual([["woke"], true]);
  answer.resolve({ kind: "unreachable" });
  await settled;
  expect([seen, loop.isBusy]).toEqual([["woke", "blocks_read", "alarm set"], false]);
});

it("tells the machine of a wait that another call's answer states, so that all calls wait", () => {
  const { loop } = open();
  const told = vi.spyOn(loop, "dispatch").mockImplementation(() => undefined);
  loop.noteRefusal({ kind: "earnings" });
  loop.noteRefusal({ kind: "failed", retryAt: null });
  expect(told).not.toHaveBeenCalled();
  loop.noteRefusal({ kind: "rate_limited", retryAt: NOON });
  loop.noteRefusal({ kind: "rate_limited" });
  loop.noteRefusal({ kind: "failed", retryAt: NOON });
  expect(told.mock.calls).toEqual([
    [{ kind: "rate_limited", retryAt: NOON }],
    [{ kind: "rate_limited", retryAt: null }],
    [{ kind: "wait_stated", retryAt: NOON }],
  ]);
});

it("tells the machine of a past link's answer nothing but the wait that it states", async () => {
  for (const [outcome, told] of [
    [{ kind: "blocks" }, []],
    [{ kind: "signed_out" }, []],
    [{ kind: "rate_limited", retryAt: NOON }, ["rate_limited"]],
    [{ kind: "unreachable", retryAt: NOON }, ["wait_stated"]],
  ] as const) {
    const { loop, answer, seen, machine } = open();
    const settled = loop.settle({ kind: "woke" });
    machine.state = { link: { status: "linked" } };
    answer.resolve(outcome);
    await settled;
    expect(seen).toEqual(["woke", ...told, "alarm set"]);
  }
});
