import { useQuery } from "@tanstack/react-query";
import { spotQuery } from "../../api/spots.ts";
import { useUser } from "../session/use-user.ts";
import { SpotCard } from "./spot-card.tsx";

/** On screens that work without a spot, for drivers who have none. */
export function SpotNotice() {
  const { waitingForSpot: waits = false } = useUser();
  const { data } = useQuery({ ...spotQuery, enabled: waits });
  return waits && data ? <SpotCard response={data} /> : null;
}
