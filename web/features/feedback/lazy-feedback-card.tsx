import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, type ComponentType } from "react";
import { feedbackQuery } from "../../api/feedback.ts";

/** Rarely shown, so not in the dashboard's own code. Where it can't be fetched, nobody is asked. */
const FeedbackCard = lazy<ComponentType>(() =>
  import("./feedback-card.tsx").then(
    ({ FeedbackCard: Card }) => ({ default: Card }),
    () => ({ default: () => null }),
  ),
);

export function LazyFeedbackCard() {
  if (!useQuery(feedbackQuery).data?.isDue) return null;
  return (
    <Suspense fallback={null}>
      <FeedbackCard />
    </Suspense>
  );
}
