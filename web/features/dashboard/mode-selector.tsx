import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { toast } from "sonner";
import type { Mode, SpecialMode } from "../../../db/shapes/filters.ts";
import { patchUser } from "../../api/queries.ts";
import { m } from "../../messages/messages.js";
import { Switch } from "../../ui/switch.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { useApplyUser } from "./use-system-switch.ts";

const MODES = [
  { mode: "lucrative", name: m.mode_lucrative, text: m.mode_lucrative_text },
  { mode: "secure", name: m.mode_secure, text: m.mode_secure_text },
  { mode: "masacre", name: m.mode_masacre, text: m.mode_masacre_text },
] as const;

type Choice = { mode: Mode; specialMode: SpecialMode | null };

/** How to choose among several matches. A choice shows at once and is rolled back if the server refuses it. */
export function ModeSelector({ mode, specialMode }: Choice) {
  const applyUser = useApplyUser();
  const group = useId();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (choice: Choice) =>
      patchUser(
        choice.specialMode ? { mode: choice.mode, specialMode: choice.specialMode } : { mode: choice.mode },
      ),
    onSuccess: applyUser,
    onError: (error) => toast.error(errorMessage(error)),
  });
  const shown = isPending ? variables : { mode, specialMode };
  return (
    <section className="card p-5">
      <fieldset>
        <legend className="font-display text-lg leading-tight font-semibold">{m.mode_title()}</legend>
        <div className="mt-2 grid gap-1">
          {MODES.map((choice) => (
            <label
              key={choice.mode}
              className="-mx-2 grid min-h-11 grid-cols-[auto_1fr] gap-x-3 rounded-field px-2 py-2 hover:bg-sunken has-checked:bg-sunken"
            >
              <input
                type="radio"
                name={group}
                checked={shown.mode === choice.mode}
                onChange={() => mutate({ mode: choice.mode, specialMode: shown.specialMode })}
                className="row-span-2 mt-1 size-4.5 accent-ink"
              />
              <span className="font-semibold">{choice.name()}</span>
              <span className="text-sm text-soft">{choice.text()}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="mt-2 flex items-center justify-between gap-3 border-t border-line pt-2">
        <p id={`${group}-wf`}>
          <span className="block font-semibold">{m.mode_wf()}</span>
          <span className="block text-sm text-soft">{m.mode_wf_text()}</span>
        </p>
        <Switch
          label={m.mode_wf()}
          checked={shown.specialMode === "wf"}
          onChange={(on) => mutate({ mode: shown.mode, specialMode: on ? "wf" : null })}
        />
      </div>
    </section>
  );
}
