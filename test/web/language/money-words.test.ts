import * as fc from "fast-check";
import { expect, it } from "vitest";
import { readServiceLedger } from "../../../db/queries/payments/service-time.ts";
import {
  moneyMessage,
  moneyReturned,
  netPoints,
  type MoneyBack,
} from "../../../db/shapes/money/money-back.ts";
import { backLabel } from "../../../web/console/money/money-labels.ts";
import { m as consoleMessages } from "../../../web/console/messages/messages.js";
import { formatMoney } from "../../../web/features/language/format.ts";
import { describeMoneyBack, returnedLabel } from "../../../web/features/payments/payment-labels.ts";
import type { Ledgers } from "../../payments/ledgers.ts";
import { history, live, moneyBackOf } from "../../payments/money-histories.ts";
import { draws } from "../../support/draws.ts";

const DATE = "May 1";

it("says the same of each refund and dispute on page, receipt and console, and no more than the ledger has", () => {
  fc.assert(
    fc.property(history, fc.constantFrom(0, 100), (steps, points) => {
      const ledgers = live(steps, points);
      const facts = moneyBackOf(ledgers);
      const effective = ledgers.refunds.filter(({ isEffective }) => isEffective);
      const returned = moneyReturned(facts);
      // A receipt lists what is back, and nothing else.
      expect(returned.lines.map(({ id }) => id).toSorted()).toEqual(effective.map(({ id }) => id).toSorted());
      expect(returned.cents).toBe(effective.reduce((sum, { cents }) => sum + cents, 0));
      expectLedger(ledgers, facts);
      for (const fact of facts) {
        const { kind, state, cents, takenMs, returnedMs } = fact;
        const [said = "", ...saidOfPoints] = describeMoneyBack({ back: [fact], currency: "USD" });
        const line = returned.lines.find(({ id }) => id === fact.id);
        const label = backLabel({ kind, isEffective: state === "back" });
        expect(said).toContain(formatMoney(cents, "USD"));
        expect(/Service taken back/.test(said)).toBe(state === "back" && takenMs > returnedMs);
        expect(/Service returned to you/.test(said)).toBe(state === "void" && returnedMs > 0);
        expect(saidOfPoints).toHaveLength(fact.points + fact.undonePoints === 0 ? 0 : 1);
        expect(/was refunded/.test(said)).toBe(label === consoleMessages.back_refund());
        expect(/Your bank reversed/.test(said)).toBe(label === consoleMessages.back_dispute());
        expect(/refund .* didn't go through/.test(said)).toBe(label === consoleMessages.back_failed());
        expect(/payment stands/.test(said)).toBe(label === consoleMessages.dispute_won());
        expect(line && returnedLabel(line.outcome, DATE)).toBe(
          label === consoleMessages.back_refund()
            ? `Refund, ${DATE}`
            : label === consoleMessages.back_dispute()
              ? `Reversed by the bank, ${DATE}`
              : undefined,
        );
      }
    }),
    draws({ whole: 10_000, usual: 800 }),
  );
});

/** The facts are those of the ledgers of days and points, and each sentence's length is. */
function expectLedger(ledgers: Ledgers, facts: readonly MoneyBack[]): void {
  const { appliedMs } = readServiceLedger(ledgers.service);
  const gone = [...appliedMs].reduce((sum, [source, ms]) => sum - (source === "payment:p" ? 0 : ms), 0);
  expect(facts.reduce((sum, { takenMs, returnedMs }) => sum + takenMs - returnedMs, 0)).toBe(gone);
  for (const fact of facts) {
    const { key, lengthMs } = moneyMessage(fact);
    if (key === "news_refunded" || key === "news_disputed")
      expect(lengthMs).toBe(fact.takenMs - fact.returnedMs);
    if (key === "news_refund_failed" || key === "news_dispute_won") expect(lengthMs).toBe(fact.returnedMs);
    if (lengthMs !== null) expect(lengthMs).toBeLessThanOrEqual(fact.takenMs);
    if (lengthMs === null) expect(fact.takenMs - fact.returnedMs).toBe(0);
  }
  const changed = [...ledgers.points].filter(([source]) => /:re_\d/.test(source));
  expect(facts.reduce((sum, fact) => sum + netPoints(fact), 0)).toBe(
    changed.reduce((sum, [, count]) => sum + count, 0),
  );
}
