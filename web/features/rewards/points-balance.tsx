import { useQuery } from "@tanstack/react-query";
import { rewardsQuery } from "../../api/queries/rewards.ts";
import { m } from "../../messages/messages.js";
import { countInputs } from "../language/format.ts";

/** The points beside the menu's link to the rewards; nothing while they are not known. */
export function PointsBalance() {
  const { data } = useQuery(rewardsQuery);
  if (!data) return null;
  return (
    <span data-testid="menu-points" className="figures ml-auto text-sm font-normal text-soft">
      {m.points_count(countInputs(data.points))}
    </span>
  );
}
