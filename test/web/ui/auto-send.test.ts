import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createAutoSend, OWN_CODE } from "../../../web/ui/form/auto-send.ts";

let sent: number;
let autoSend: ReturnType<typeof createAutoSend>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  sent = 0;
  autoSend = createAutoSend();
});
afterEach(() => {
  vi.useRealTimers();
});

const enter = (length: number, digitsAtOnce: number) =>
  autoSend.enter(OWN_CODE, { length, digitsAtOnce, send: () => void (sent += 1) });
const type = (upTo: number, from = 1) => {
  for (let length = from; length <= upTo; length += 1) enter(length, 1);
};
const sentAfter = (ms: number) => {
  vi.advanceTimersByTime(ms);
  return sent;
};

it("sends a code that comes as a whole at once, and a typed one after a pause", () => {
  enter(6, 6);
  expect(sentAfter(0)).toBe(1);
  type(10);
  expect([sentAfter(399), sentAfter(1)]).toEqual([1, 2]);
});

it("waits for the rest of ten digits while somebody looks back at the text", () => {
  type(6);
  expect(sentAfter(1_400)).toBe(0);
  type(10, 7);
  expect(sentAfter(10_000)).toBe(1);
});

it("sends six digits where no more follow", () => {
  type(6);
  expect(sentAfter(1_500)).toBe(1);
});

it("sends nothing twice: what was sent by hand calls off the pause", () => {
  type(6);
  autoSend.cancel();
  expect(sentAfter(10_000)).toBe(0);
});

it("sends nothing of which digits were taken away", () => {
  type(7);
  enter(6, 0);
  expect(sentAfter(10_000)).toBe(0);
});
