import { useMutation } from "@tanstack/react-query";
import { toast } from "../../ui/toast.ts";
import type { Mode, SpecialMode } from "../../../db/shapes/work/filters.ts";
import { patchUser } from "../../api/queries/user.ts";
import { errorMessage } from "../language/error-messages.ts";
import { useApplyUser } from "../live/use-system-switch.ts";

export type ModeChoice = { mode: Mode; specialMode: SpecialMode | null };

/** How to choose among several matches. A choice shows at once and is rolled back if the server refuses it. */
export function useMode(saved: ModeChoice): { mode: ModeChoice; choose: (choice: ModeChoice) => void } {
  const applyUser = useApplyUser();
  const { mutate, isPending, variables } = useMutation({
    // One at a time: of two quick choices the last must win.
    scope: { id: "mode" },
    mutationFn: (choice: ModeChoice) =>
      patchUser(
        choice.specialMode ? { mode: choice.mode, specialMode: choice.specialMode } : { mode: choice.mode },
      ),
    onSuccess: applyUser,
    onError: (error) => toast.error(errorMessage(error)),
  });
  return { mode: isPending ? variables : saved, choose: mutate };
}
