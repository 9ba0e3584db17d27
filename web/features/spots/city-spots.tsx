import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { caseName, factToken, SERVED_PARTS } from "../../../worker/contract/served-cases.ts";
import { citySpotsQuery } from "../../api/queries/spots.ts";
import { m } from "../../messages/messages.js";
import { countInputs } from "../language/format.ts";
import { ServedPart } from "../../prerender/served-part.tsx";
import { cityLabel } from "./labels.ts";

type City = { city: string; isFull: boolean; text: string };

/** The spots that are left in each city that has a limit; nothing where none has. */
export function CitySpots() {
  const cities = useQuery(citySpotsQuery).data?.cities;
  return (
    <ServedPart name={SERVED_PARTS.spots} cases={spotsCases} fallback={null}>
      {cities ? <>{cities.length > 0 && <SpotsList cities={cities.map(describeCity)} />}</> : null}
    </ServedPart>
  );
}

function describeCity({ city, left, waiting }: { city: string; left: number; waiting: number }): City {
  const isFull = left === 0;
  const text = isFull ? m.spots_full(countInputs(waiting)) : m.spots_left(countInputs(left));
  return { city: cityLabel(city), isFull, text };
}

/** The list with each form of a row, which the Worker repeats for each city. */
function spotsCases(): Record<string, ReactNode> {
  const row = { city: factToken("city"), text: factToken("spots") };
  return {
    listed: (
      <SpotsList
        cities={[
          { ...row, form: "left", isFull: false },
          { ...row, form: "full", isFull: true },
        ]}
      />
    ),
  };
}

function SpotsList({ cities }: { cities: readonly (City & { form?: string })[] }) {
  return (
    <div data-testid="city-spots">
      <h3 className="text-lg">{m.spots_title()}</h3>
      <ul className="figures mt-2 grid gap-x-8 sm:grid-cols-2 lg:grid-cols-3">
        {cities.map(({ city, form, isFull, text }) => (
          <li
            key={form ?? city}
            {...(form && { "data-row": caseName(SERVED_PARTS.spots, form) })}
            className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-2"
          >
            <span>{city}</span>
            <span className={isFull ? "text-soft" : "font-semibold"}>{text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
