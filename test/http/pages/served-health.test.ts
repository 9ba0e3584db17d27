import { expect, it } from "vitest";
import type { CityHealthNow } from "../../../worker/contract/platform-health.ts";
import { serveCases, servedHealth } from "../../../worker/http/pages/served-cases.ts";

const NOW = Date.parse("2026-11-24T23:30:00Z");
const HTML =
  '<template data-case="health none">nothing</template><template data-case="health listed"><ul>' +
  ["working", "slow", "down", "unknown"]
    .map(
      (form) =>
        `<li data-row="health ${form}">${form}: __city__, __state__, __trouble__, "__bars-down__"</li>`,
    )
    .join("") +
  "</ul></template>";
const city: CityHealthNow = {
  city: "<New York>",
  timeZone: "America/New_York",
  state: "down",
  since: NOW - 18 * 60_000,
  isOurs: false,
  shared: ["unreachable"],
  days: [
    { date: "2026-11-23", state: "down", slowMinutes: 0, downMinutes: 12 },
    { date: "2026-11-24", state: "working", slowMinutes: 0, downMinutes: 0 },
  ],
};
const serve = (cities: CityHealthNow[], language: "en" | "es" | "pt" = "en") =>
  serveCases(HTML, [servedHealth({ cities }, { language, now: NOW })])
    .replaceAll(/\s/g, " ")
    .replaceAll(/<!--\/?now-->/g, "");

it("writes a city in the page's language, by the city's clock, with its days as bars", () => {
  expect(serve([city])).toBe(
    '<ul><li>down: &lt;New York>, Not answering since 6:12 PM, Last trouble: Mon, Nov 23, "M0 32v-10h8v10z"</li></ul>',
  );
  expect(serve([{ ...city, isOurs: true }], "pt")).toMatch(/Estamos com uma falha desde/);
  expect(serve([{ ...city, state: "unknown", days: [] }], "es")).toMatch(/Sin datos por ahora, Sin fallas/);
});

it("says that nothing is known where nothing is", () => {
  expect(serve([])).toBe("nothing");
});
