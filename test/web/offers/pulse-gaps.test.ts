import { describe, expect, it } from "vitest";
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

  it("does not call a slow answer a gap, nor a slow rhythm", () => {
    expect(shape([0, 1, 2, 6], 7)).toBe("||||");
    expect(shape([0, 8, 16, 25], 40)).toBe("||||");
  });
});
