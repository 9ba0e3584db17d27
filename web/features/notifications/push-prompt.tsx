import { BellRing } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import * as z from "zod/mini";
import { unchanged } from "../../../db/shapes/versioned.ts";
import { createStored } from "../../api/cache/storage.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { handFocusOn } from "../../ui/hand-focus-on.ts";
import { useIsWide } from "../../ui/use-is-wide.ts";
import { FreshSignInSheet } from "../account/fresh-sign-in-sheet.tsx";
import { useUser } from "../session/use-user.ts";
import { PUSH_MESSAGES, usePush } from "./use-push.ts";

/** Offers push notifications after the first capture. A driver who declines isn't asked again on this device. */
export function PushPrompt() {
  const { isOffered: isAvailable, state, setEnabled, isUpdating, errorText: error } = usePush();
  const [isDone, setDone] = useState(() => dismissedPrompt.load() !== null);
  const isWide = useIsWide();
  const { phoneNumber } = useUser();
  const [wasTapped, setTapped] = useState(false);
  const close = useRef<HTMLButtonElement>(null);
  /** The pressed button goes once notifications are on: the one that stays takes its focus. */
  const handToClose = useCallback(
    (pressed: HTMLButtonElement) => () => {
      if (document.activeElement === pressed) close.current?.focus();
    },
    [],
  );
  if (!isAvailable || isDone || (!wasTapped && state !== "off")) return null;
  const dismiss = () => {
    dismissedPrompt.save("dismissed");
    setDone(true);
  };
  return (
    <section
      ref={handFocusOn}
      aria-labelledby="push-prompt"
      className="card grid gap-3 p-4"
      data-testid="push-prompt"
    >
      <div className="flex items-start gap-3">
        <BellRing aria-hidden className="mt-0.5 size-5 shrink-0 text-soft" />
        <div>
          <h3 id="push-prompt" className="text-base">
            {isWide ? m.notify_offer_title_desk() : m.notify_offer_title()}
          </h3>
          <output className="block text-sm text-soft">{messageFor(state)}</output>
        </div>
      </div>
      {error && !isUpdating && (
        <p role="alert" className="text-sm font-semibold text-bad">
          {error}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {state === "off" && (
          <Button
            ref={handToClose}
            aria-disabled={isUpdating}
            onClick={() => {
              if (isUpdating) return;
              setTapped(true);
              setEnabled(true);
            }}
          >
            {m.notify_offer_yes()}
          </Button>
        )}
        <Button ref={close} variant="quiet" onClick={state === "off" ? dismiss : () => setDone(true)}>
          {state === "off" ? m.notify_offer_no() : m.close()}
        </Button>
      </div>
      <FreshSignInSheet phone={phoneNumber} />
    </section>
  );
}

/** The outcome once it was tapped; until then the offer. */
function messageFor(state: ReturnType<typeof usePush>["state"]): string {
  return state === undefined || state === "off" ? m.notify_offer_text() : PUSH_MESSAGES[state]();
}

export const storedDismissal = {
  key: "jornada.push-offer",
  shape: z.literal("dismissed"),
  upcasts: [unchanged],
};

/** Set once the driver dismissed the prompt to turn notifications on, on this device. */
const dismissedPrompt = createStored(storedDismissal);
