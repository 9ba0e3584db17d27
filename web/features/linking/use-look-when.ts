import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { setupQuery } from "../../api/setup.ts";

/** Asks the server how far linking has come, once, as soon as something holds. */
export function useLookWhen(holds: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (holds) void queryClient.invalidateQueries({ queryKey: setupQuery.queryKey });
  }, [holds, queryClient]);
}
