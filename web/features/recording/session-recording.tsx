import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { recordingQuery } from "../../api/queries/recording.ts";
import { configQuery } from "../../api/queries/user.ts";
import { followConsent } from "./follow-consent.ts";

/** Records the sessions of a driver who agreed, where the deployment has a recorder. The page is painted before. */
export function SessionRecording() {
  const recording = useQuery(configQuery).data?.recording ?? null;
  const { data: driver } = useQuery({ ...recordingQuery, enabled: recording !== null });
  const phoneNumber = driver?.consent ? driver.phoneNumber : null;
  useEffect(() => {
    // Until the answer is here, whatever runs goes on.
    if (!recording || driver === undefined) return undefined;
    const controller = new AbortController();
    followConsent(recording, { phoneNumber, signal: controller.signal }).catch(() => {});
    return () => controller.abort();
  }, [recording, driver, phoneNumber]);
  return null;
}
