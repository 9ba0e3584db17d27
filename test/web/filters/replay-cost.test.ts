import { afterEach, expect, it } from "vitest";
import { LANGUAGES } from "../../../db/shapes/language.ts";
import type { CostliestRule } from "../../../db/shapes/work/replay.ts";
import { costMessage } from "../../../web/features/filters/replay/replay-messages.ts";
import { baseLocale, overwriteGetLocale } from "../../../web/messages/runtime.js";
import { BETHPAGE } from "../../engine/fixtures.ts";

const SUNDAYS = { ruleId: "a", name: "Sundays", number: 2 };
const FIRST = { ruleId: null, name: "", number: 1 };
const UNNAMED = { ruleId: "b", name: "", number: 3 };

// Amounts keep the format of the page's language, which stays.
afterEach(() => overwriteGetLocale(() => baseLocale));

it("names the rule that costs most in each language", () => {
  const costs: Pick<CostliestRule, "code" | "rule">[] = [
    { code: "price_below_minimum" },
    { code: "price_below_minimum", rule: SUNDAYS },
    { code: "rate_below_minimum", rule: FIRST },
    { code: "too_soon", rule: UNNAMED },
    { code: "duration_not_preferred", rule: SUNDAYS },
    { code: "outside_schedule", rule: SUNDAYS },
    { code: "day_limit" },
  ];
  const said = LANGUAGES.map((language) => {
    overwriteGetLocale(() => language);
    return costs.map((cost) =>
      costMessage(
        { ...cost, warehouseId: BETHPAGE, offers: 3, payCents: 41_200 },
        { warehouse: "Maspeth", currency: "USD" },
      ).replaceAll("\u00a0", " "),
    );
  });
  expect(Object.fromEntries(LANGUAGES.map((language, index) => [language, said[index]]))).toEqual({
    en: [
      "Your minimum pay at Maspeth alone turned down $412.",
      "Sundays at Maspeth: its minimum pay alone turned down $412.",
      "First rule at Maspeth: its hourly minimum alone turned down $412.",
      "Rule 3 at Maspeth: its minimum notice alone turned down $412.",
      "Sundays at Maspeth: its block lengths alone turned down $412.",
      "Sundays at Maspeth: its days and hours alone turned down $412.",
      "Your limits alone turned down $412 at Maspeth.",
    ],
    es: [
      "Solo tu pago mínimo en Maspeth descartó $412.",
      "Sundays en Maspeth: solo su pago mínimo descartó $412.",
      "Primera regla en Maspeth: solo su mínimo por hora descartó $412.",
      "Regla 3 en Maspeth: solo su anticipación mínima descartó $412.",
      "Sundays en Maspeth: solo sus duraciones descartaron $412.",
      "Sundays en Maspeth: solo sus días y horas descartaron $412.",
      "Solo tus límites descartaron $412 en Maspeth.",
    ],
    pt: [
      "Só o seu pagamento mínimo em Maspeth descartou $412.",
      "Sundays em Maspeth: só o pagamento mínimo dela descartou $412.",
      "Primeira regra em Maspeth: só o mínimo por hora dela descartou $412.",
      "Regra 3 em Maspeth: só a antecedência mínima dela descartou $412.",
      "Sundays em Maspeth: só as durações dela descartaram $412.",
      "Sundays em Maspeth: só os dias e horários dela descartaram $412.",
      "Só os seus limites descartaram $412 em Maspeth.",
    ],
  });
});
