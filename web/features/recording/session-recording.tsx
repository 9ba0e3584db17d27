import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { recordingQuery } from "../../api/queries/recording.ts";
import { configQuery } from "../../api/queries/user.ts";
import type { PublicConfig } from "../../../worker/contract/status.ts";

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

/**
 * The recorder's code is fetched only here. Where it can't be, nothing is recorded. An answer that another one has replaced
 * meanwhile counts no longer: the first fetch takes longer than the next.
 */
export async function followConsent(
  recording: NonNullable<PublicConfig["recording"]>,
  { phoneNumber, signal }: { phoneNumber: string | null; signal: AbortSignal },
): Promise<void> {
  const { startRecording, stopRecording } = await import("./recorder.ts");
  if (signal.aborted) return;
  if (phoneNumber === null) stopRecording();
  else startRecording({ ...recording, phoneNumber });
}
