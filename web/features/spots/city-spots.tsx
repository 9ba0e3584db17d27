import { useQuery } from "@tanstack/react-query";
import { citySpotsQuery } from "../../api/spots.ts";
import { useIsHydrated } from "../../api/use-is-hydrated.ts";
import { m } from "../../messages/messages.js";
import { formatCount } from "../language/format.ts";
import { cityLabel } from "./city-label.ts";

/** The spots that are left in each city that has a limit; nothing where none has. */
export function CitySpots() {
  const cities = useQuery(citySpotsQuery).data?.cities ?? [];
  const isHydrated = useIsHydrated();
  if (!isHydrated || cities.length === 0) return null;
  return (
    <div data-testid="city-spots">
      <h3 className="text-lg">{m.spots_title()}</h3>
      <ul className="figures mt-2 grid gap-x-8 sm:grid-cols-2 lg:grid-cols-3">
        {cities.map(({ city, left, waiting }) => (
          <li
            key={city}
            className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-2"
          >
            <span>{cityLabel(city)}</span>
            {left > 0 ? (
              <span className="font-semibold">
                {m.spots_left({ count: left, figure: formatCount(left) })}
              </span>
            ) : (
              <span className="text-soft">
                {m.spots_full({ count: waiting, figure: formatCount(waiting) })}
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
