import { Smartphone } from "lucide-react";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { usePush } from "./use-push.ts";

/** Push notifications in this browser: on or off, or what to do where they can't be turned on. */
export function PushSwitch() {
  const { state, setEnabled, isUpdating, errorText: error } = usePush();
  if (state === undefined) return null;
  const messages = {
    unsupported: m.notify_push_unsupported,
    needs_install: m.notify_push_needs_install,
    denied: m.notify_push_denied,
    off: m.notify_push_off,
    on: m.notify_push_on,
  } satisfies Record<typeof state, () => string>;
  return (
    <div className="grid gap-3 border-t border-line pt-4" data-testid="push" data-state={state}>
      <div className="flex items-start gap-3">
        <Smartphone aria-hidden className="mt-0.5 size-5 shrink-0 text-soft" />
        <div>
          <h3 className="text-base">{m.notify_push_title()}</h3>
          <output className="block text-sm text-soft">{messages[state]()}</output>
        </div>
      </div>
      {(state === "off" || state === "on") && (
        <Button
          variant={state === "off" ? "primary" : "plain"}
          className="justify-self-start"
          disabled={isUpdating}
          onClick={() => setEnabled(state === "off")}
        >
          {state === "off" ? m.notify_push_turn_on() : m.notify_push_turn_off()}
        </Button>
      )}
      {!isUpdating && error && (
        <p role="alert" className="text-sm font-semibold text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
