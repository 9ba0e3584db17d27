import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { cacheResponse } from "../../api/client/query-client.ts";
import { saveRecordingConsent, recordingQuery } from "../../api/queries/recording.ts";
import { configQuery } from "../../api/queries/user.ts";

/** The driver's answer and how to change it; `consent` is undefined while it isn't known, and where nothing is recorded. */
export function useRecordingConsent() {
  const queryClient = useQueryClient();
  const isOffered = Boolean(useQuery(configQuery).data?.recording);
  const { data } = useQuery({ ...recordingQuery, enabled: isOffered });
  const { mutate, isPending, isError } = useMutation({
    mutationFn: async (consent: boolean) => {
      // Even if the call fails: the driver wants it to end now.
      if (!consent) (await import("./recorder.ts")).stopRecording();
      return saveRecordingConsent(consent);
    },
    onMutate: () => queryClient.cancelQueries({ queryKey: recordingQuery.queryKey }),
    onSuccess: (saved) => cacheResponse(queryClient, recordingQuery, saved),
  });
  const save = (consent: boolean) => isPending || mutate(consent);
  return { consent: data?.consent, save, isPending, isError };
}
