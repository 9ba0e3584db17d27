import { useQuery } from "@tanstack/react-query";
import { spotQuery } from "../../api/queries/spots.ts";
import { SpotCard } from "./spot-card.tsx";

/** The place in line of a driver who has no spot. */
export function WaitingSpot() {
  const { data } = useQuery(spotQuery);
  return data ? <SpotCard response={data} /> : null;
}
