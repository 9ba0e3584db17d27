import type { PushState } from "../../api/device/push.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import type { usePush } from "../notifications/use-push.ts";
import { CheckRow, type RowState } from "./check-row.tsx";

const MESSAGES = {
  unsupported: m.notify_push_unsupported,
  needs_install: m.notify_push_needs_install,
  denied: m.notify_push_denied,
  off: m.notify_push_off,
  on: m.notify_push_on,
} satisfies Record<PushState, () => string>;

/** The state of this device's line; `isNeeded`: no other way reaches the driver. */
export function deviceState(push: PushState | undefined, isNeeded: boolean): RowState {
  if (push === undefined) return "checking";
  if (push === "on") return "ok";
  return push === "denied" || isNeeded ? "attention" : "off";
}

/** Whether this device shows notifications, as its browser says, with the tap that turns them on. */
export function DeviceRow({
  push: { state, setEnabled, isUpdating, errorText },
  isNeeded,
  onChanged,
}: {
  push: ReturnType<typeof usePush>;
  isNeeded: boolean;
  onChanged: () => void;
}) {
  return (
    <CheckRow
      subject={m.notify_push_title()}
      state={deviceState(state, isNeeded)}
      text={state === undefined ? m.check_running() : MESSAGES[state]()}
    >
      {state === "off" && (
        <Button
          variant={isNeeded ? "primary" : "plain"}
          className="justify-self-start"
          aria-disabled={isUpdating}
          onClick={() => isUpdating || setEnabled(true, { onSettled: onChanged })}
        >
          {m.notify_push_turn_on()}
        </Button>
      )}
      {errorText && !isUpdating && (
        <p role="alert" className="text-sm font-semibold text-bad">
          {errorText}
        </p>
      )}
    </CheckRow>
  );
}
