import { BellRing } from "lucide-react";
import { useState } from "react";
import * as z from "zod/mini";
import { readStored, writeStored } from "../../api/stored.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { usePush } from "./use-push.ts";

const KEPT_UNDER = "jornada.push-offer";

/** After a first capture: the next one can be told on this phone. Whoever says no is not asked again here. */
export function PushOffer() {
  const { isOffered, state, turn, isTurning, problem } = usePush();
  const [isDone, setDone] = useState(() => readStored(z.literal("dismissed"), KEPT_UNDER) !== null);
  const [wasTapped, setTapped] = useState(false);
  if (!isOffered || isDone || (!wasTapped && state !== "off")) return null;
  const dismiss = () => {
    writeStored(KEPT_UNDER, "dismissed");
    setDone(true);
  };
  return (
    <section aria-labelledby="push-offer" className="card mb-4 grid gap-3 p-4" data-testid="push-offer">
      <div className="flex items-start gap-3">
        <BellRing aria-hidden className="mt-0.5 size-5 shrink-0 text-soft" />
        <div>
          <h2 id="push-offer" className="text-base">
            {m.notify_offer_title()}
          </h2>
          <output className="block text-sm text-soft">{wordsFor(state)}</output>
        </div>
      </div>
      {problem && !isTurning && (
        <p role="alert" className="text-sm font-semibold text-bad">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {state === "off" && (
          <Button
            disabled={isTurning}
            onClick={() => {
              setTapped(true);
              turn(true);
            }}
          >
            {m.notify_push_turn_on()}
          </Button>
        )}
        <Button look="quiet" onClick={state === "off" ? dismiss : () => setDone(true)}>
          {state === "off" ? m.notify_offer_no() : m.close()}
        </Button>
      </div>
    </section>
  );
}

function wordsFor(state: ReturnType<typeof usePush>["state"]): string {
  if (state === "on") return m.notify_push_on();
  return state === "denied" ? m.notify_push_denied() : m.notify_offer_text();
}
