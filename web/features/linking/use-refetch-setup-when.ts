import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { setupQuery } from "../../api/setup.ts";

/** Asks the server how far linking has come, once, as soon as something holds. */
export function useRefetchSetupWhen(condition: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (condition) void queryClient.invalidateQueries({ queryKey: setupQuery.queryKey });
  }, [condition, queryClient]);
}
