import { Info } from "lucide-react";
import { useId, useState } from "react";
import { MODES, type Mode, type ShownMode, type SpecialMode } from "../../../db/shapes/work/filters.ts";
import { m } from "../../messages/messages.js";
import { Sheet } from "../../ui/sheet.tsx";
import { Switch } from "../../ui/inputs/switch.tsx";
import { useMutation } from "@tanstack/react-query";
import { toast } from "../../ui/toast.ts";
import { patchUser } from "../../api/queries/user.ts";
import { errorMessage } from "../language/error-messages.ts";
import { useApplyUser } from "../live/use-system-switch.ts";
import { MODE_MESSAGES } from "../offers/mode-messages.ts";

type ModeChoice = { mode: Mode; specialMode: SpecialMode | null };
type ShownChoice = { mode: ShownMode; specialMode: SpecialMode | null };

/** The mode as a control of three parts, with Whole Foods as a switch below; what they do is a tap away. */
export function ModeControl({ saved, disabled }: { saved: ShownChoice; disabled: boolean }) {
  const { mode: shown, choose } = useMode(saved);
  const { mode: chosen } = shown;
  const [isOpen, setOpen] = useState(false);
  const group = useId();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2">
      <fieldset disabled={disabled} className="min-w-0 flex-1" data-testid="mode">
        <legend className="sr-only">{m.mode_title()}</legend>
        <div className="flex flex-wrap rounded-field bg-sunken p-1">
          {MODES.map((mode) => (
            <label
              key={mode}
              className="grid min-h-11 min-w-max flex-1 basis-auto place-items-center rounded-[7px] px-1 text-center text-sm leading-tight font-semibold text-soft has-checked:bg-raised has-checked:text-ink has-checked:shadow-[0_0_0_1px_var(--edge)] has-focus-visible:outline-3 has-focus-visible:outline-focus"
            >
              <input
                type="radio"
                name={group}
                className="sr-only"
                checked={shown.mode === mode}
                onChange={() => choose({ mode, specialMode: shown.specialMode })}
              />
              {MODE_MESSAGES[mode].name()}
            </label>
          ))}
        </div>
        {chosen === "other" && <p className="mt-1 text-sm font-semibold">{m.mode_other()}</p>}
      </fieldset>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={m.mode_about()}
        data-testid="mode-about"
        onClick={() => setOpen(true)}
        className="grid min-h-13 w-11 shrink-0 place-items-center self-start rounded-field hover:bg-sunken"
      >
        <Info aria-hidden className="size-5" />
      </button>
      <div className="col-span-2 -mb-2 flex min-h-11 items-center justify-between gap-3 max-sm:-mt-1">
        <span aria-hidden className="text-sm font-semibold">
          {m.mode_wf()}
        </span>
        <Switch
          label={m.mode_wf()}
          disabled={disabled || chosen === "other"}
          checked={shown.specialMode === "wf"}
          onChange={(on) => chosen !== "other" && choose({ mode: chosen, specialMode: on ? "wf" : null })}
        />
      </div>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={m.mode_title()}>
        <dl className="grid gap-3">
          {MODES.map((mode) => (
            <div key={mode}>
              <dt className="font-semibold">{MODE_MESSAGES[mode].name()}</dt>
              <dd className="text-sm text-soft">{MODE_MESSAGES[mode].text()}</dd>
            </div>
          ))}
          <div>
            <dt className="font-semibold">{m.mode_wf()}</dt>
            <dd className="text-sm text-soft">{m.mode_wf_text()}</dd>
          </div>
        </dl>
      </Sheet>
    </div>
  );
}

/** How to choose among several matches. A choice shows at once and is rolled back if the server refuses it. */
function useMode(saved: ShownChoice): { mode: ShownChoice; choose: (choice: ModeChoice) => void } {
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
