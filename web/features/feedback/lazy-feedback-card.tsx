import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { lazyOptional } from "../../ui/lazy-optional.ts";
import { feedbackQuery } from "../../api/queries/feedback.ts";

/** Rarely shown, so not in the dashboard's own code. Where it can't be fetched, nobody is asked. */
const FeedbackCard = lazyOptional(async () => (await import("./feedback-card.tsx")).FeedbackCard);

export function LazyFeedbackCard() {
  if (!useQuery(feedbackQuery).data?.isDue) return null;
  return (
    <Suspense fallback={null}>
      <FeedbackCard />
    </Suspense>
  );
}
