import {
  useMutation,
  useQueryClient,
  useSuspenseQuery,
  type UseSuspenseQueryOptions,
} from "@tanstack/react-query";
import { m } from "../../messages/messages.js";
import { toast } from "../../ui/toast.ts";
import { errorMessage } from "../language/error-messages.ts";

/** Settings that are saved whole. A change shows at once and is rolled back if it can't be saved. */
export function useSavedAtOnce<Settings extends object>(
  query: UseSuspenseQueryOptions<Settings, Error, Settings, string[]>,
  put: (settings: Settings) => Promise<Settings>,
) {
  const { queryKey } = query;
  const queryClient = useQueryClient();
  const settings = useSuspenseQuery(query).data;
  const { mutate } = useMutation({
    mutationKey: queryKey,
    // One at a time: each sends all settings, and the last must win.
    scope: { id: queryKey.join() },
    // Offline it fails at once, rather than being saved some day.
    networkMode: "always",
    mutationFn: ({ after }: { before: Settings; after: Settings }) => put(after),
    onError: (error, { before }) => {
      queryClient.setQueryData<Settings>(queryKey, before);
      toast.error(m.notify_not_saved(), { description: errorMessage(error) });
    },
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey: queryKey }) === 1)
        void queryClient.invalidateQueries({ queryKey });
    },
  });
  const change = (part: Partial<Settings>) => {
    const before = queryClient.getQueryData<Settings>(queryKey);
    if (!before) return;
    void queryClient.cancelQueries({ queryKey });
    const after = { ...before, ...part };
    queryClient.setQueryData<Settings>(queryKey, after);
    mutate({ before, after });
  };
  return { settings, change };
}
