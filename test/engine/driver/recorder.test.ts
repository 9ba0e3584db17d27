import { expect, it } from "vitest";
import { Recorder } from "../../../durable/driver/recorder.ts";
import type { LogEvent } from "../../../db/shapes/log/driver-log.ts";
import { activeState, NOON, makeBlock, makeOffer } from "../fixtures.ts";

/** A recorder with an open page. A stand-in is only as much of each part as the recorder uses. */
function open({ hasOpen = true } = {}) {
  const frames: string[] = [];
  const turns: (() => void)[] = [];
  const parts = {
    store: {
      events: { append: (events: LogEvent[]) => events.map((event, seq) => ({ seq, event })) },
      wonBlocks: { follow: () => [] },
      heldBlocks: { follow: () => {} },
    },
    sockets: {
      hasOpen,
      sendEvents: (rows: { event: LogEvent }[]) => frames.push(...rows.map(({ event }) => event.kind)),
      sendChanged: () => frames.push("changed"),
    },
    fleet: { note: () => {} },
    listings: { note: () => {} },
    lostTime: { note: () => {} },
    shiftChecks: { note: () => {} },
    drift: { takeNew: () => [] },
    log: () => {},
    now: () => NOON,
    sleep: () =>
      new Promise<void>((resolve) => {
        turns.push(resolve);
      }),
  } as unknown as ConstructorParameters<typeof Recorder>[0];
  const endTurn = async () => {
    for (const end of turns.splice(0)) end();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { recorder: new Recorder(parts), frames, endTurn };
}

const before = activeState();
const state = { ...before, held: [makeBlock(makeOffer("a"))] };
const effects = [
  { kind: "log" as const, events: [{ kind: "silence_suspected" as const, at: NOON, lastNewAt: NOON }] },
];

it("tells the page of an event in the turn of its step, and builds the snapshot in one of its own", async () => {
  const { recorder, frames, endTurn } = open();
  recorder.record({ before, event: { kind: "woke" }, state, effects }, null, NOON);
  recorder.record({ before, event: { kind: "woke" }, state, effects }, null, NOON);
  expect(frames).toEqual(["silence_suspected", "silence_suspected"]);
  await endTurn();
  expect(frames).toEqual(["silence_suspected", "silence_suspected", "changed"]);
});

it("waits for no turn where no page is open", async () => {
  const { recorder, frames, endTurn } = open({ hasOpen: false });
  recorder.record({ before, event: { kind: "woke" }, state, effects: [] }, null, NOON);
  await endTurn();
  expect(frames).toEqual([]);
});

it("builds none that a snapshot sent at once has made needless", async () => {
  const { recorder, frames, endTurn } = open();
  recorder.record({ before, event: { kind: "woke" }, state, effects: [] }, null, NOON);
  recorder.showChanged(state, null, NOON);
  await endTurn();
  expect(frames).toEqual(["changed"]);
});
