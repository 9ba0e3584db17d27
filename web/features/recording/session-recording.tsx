import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { recordingQuery } from "../../api/recording.ts";
import { configQuery } from "../../api/queries.ts";

/** Records the sessions of a driver who agreed, where the deployment has a recorder. The page is painted before. */
export function SessionRecording() {
  const recording = useQuery(configQuery).data?.recording ?? null;
  const { data: driver } = useQuery({ ...recordingQuery, enabled: recording !== null });
  const phoneNumber = driver?.consent ? driver.phoneNumber : null;
  useEffect(() => {
    // Until the answer is here, whatever runs goes on.
    if (!recording || driver === undefined) return;
    void import("./recorder.ts").then(({ startRecording, stopRecording }) => {
      if (phoneNumber === null) stopRecording();
      else startRecording({ ...recording, phoneNumber });
    });
  }, [recording, driver, phoneNumber]);
  return null;
}
