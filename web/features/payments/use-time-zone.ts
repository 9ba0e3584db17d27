import { useQuery } from "@tanstack/react-query";
import { userQuery } from "../../api/queries.ts";

const DEVICE_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone in which the driver works. */
export function useTimeZone(): string {
  return useQuery(userQuery).data?.humanTimezone ?? DEVICE_TIME_ZONE;
}
