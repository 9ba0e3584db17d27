import { describe, expect, it } from "vitest";
import { MAX_POLL_SAMPLES } from "../../../web/api/live/live-state.ts";
import { toPulseMarks } from "../../../web/features/dashboard/pulse.tsx";

const AT = Date.UTC(2026, 10, 20, 12);
const answers = (...seconds: number[]) => seconds.map((second) => ({ at: AT + second * 1000, offers: 2 }));
const shape = (seconds: number[], nowSecond: number) =>
  toPulseMarks(answers(...seconds), AT + nowSecond * 1000)
    .map((mark) => ("gap" in mark ? "_" : "|"))
    .join("");

describe("the pulse", () => {
  it("has a mark for each answer and none for anything else", () => {
    expect(shape([0, 3, 6, 9], 11)).toBe("||||");
    expect(shape([], 11)).toBe("");
  });

  it("shows where answers are missing, between two of them and up to now", () => {
    expect(shape([0, 3, 6, 40, 43], 44)).toBe("|||___||");
    expect(shape([0, 3, 6, 9], 60)).toBe("||||___");
  });

  it("has each mark at an instant of its own, in order", () => {
    const marks = toPulseMarks(answers(0, 3, 6, 40), AT + 41_000);
    expect(marks.map(({ at }) => at - AT)).toEqual([0, 3_000, 6_000, 6_001, 6_002, 6_003, 40_000]);
  });

  it("keeps its latest marks where gaps leave no room for all", () => {
    const seconds = Array.from({ length: MAX_POLL_SAMPLES }, (_, index) => 3 * index);
    const last = 3 * (MAX_POLL_SAMPLES - 1);
    expect(shape(seconds, last + 1)).toBe("|".repeat(MAX_POLL_SAMPLES));
    expect(shape(seconds, last + 60)).toBe(`${"|".repeat(MAX_POLL_SAMPLES - 3)}___`);
  });

  it("does not call a slow answer a gap, nor a slow rhythm", () => {
    expect(shape([0, 1, 2, 6], 7)).toBe("||||");
    expect(shape([0, 8, 16, 25], 40)).toBe("||||");
  });
});
