import { useId } from "react";
import { m } from "../../messages/messages.js";
import { LazyRecordingQuestion } from "../recording/lazy-recording.tsx";
import { LazyFeedbackCard, LazyPasskeyOffer, PushOffer } from "./lazy-parts.tsx";

/**
 * Questions for the driver now and then, one at a time: each part decides by itself whether it is due, and the first one
 * hides those after it.
 */
export function Asks() {
  const titleId = useId();
  return (
    <section
      aria-labelledby={titleId}
      data-testid="asks"
      className="hidden grid-cols-1 gap-2 has-[section]:grid [&>section~section]:hidden"
    >
      <h2 id={titleId} className="mt-2 text-lg">
        {m.asks_title()}
      </h2>
      <PushOffer />
      <LazyFeedbackCard />
      <LazyRecordingQuestion />
      <LazyPasskeyOffer />
    </section>
  );
}
