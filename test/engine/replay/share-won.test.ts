import { expect, it } from "vitest";
import { shareWon } from "../../../durable/engine/replay/replay-report.ts";
import { idOf } from "../fixtures.ts";

it("counts a warehouse's own tries, and two more of which one won", () => {
  const [first, second, unknown] = [idOf.warehouse("DBK4"), idOf.warehouse("VNY1"), idOf.warehouse("DLI3")];
  const odds = [
    { warehouseId: first, tried: 8, won: 7 },
    { warehouseId: second, tried: 2, won: 0 },
  ];
  expect([first, second, unknown].map((id) => shareWon(odds, id))).toEqual([0.8, 0.25, 0.5]);
});
