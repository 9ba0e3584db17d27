import type { PublicConfig } from "../../../worker/contract/status.ts";

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
