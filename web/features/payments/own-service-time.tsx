import { useQuery } from "@tanstack/react-query";
import { pauseQuery } from "../../api/queries/service-time.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useUser } from "../session/use-user.ts";
import { ServiceUntil } from "./service-time.tsx";

/** How much service the driver has left, on screens without a live connection that knows of a pause. */
export function OwnServiceTime({ until }: { until: number | null }) {
  const { humanTimezone: timeZone } = useUser();
  const { data, isLoading } = useQuery(pauseQuery);
  // A pause isn't service: without it the line would say too much for a moment. Offline it says what is known.
  if (isLoading) return <Skeleton className="h-5 w-56" />;
  return <ServiceUntil until={until} pausedUntil={data?.pausedUntil} timeZone={timeZone} />;
}
