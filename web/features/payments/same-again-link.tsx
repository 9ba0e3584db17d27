import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { RotateCcw } from "lucide-react";
import { savedCardsQuery } from "../../api/queries/saved-cards.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";

/** A link to the same again, for a driver who has what it needs; else `fallback`, or nothing. */
export function SameAgainLink({
  fallback = null,
  variant = "primary",
}: {
  fallback?: ReactNode;
  /** Plain where something else is what matters. */
  variant?: "primary" | "plain";
}) {
  const { data } = useQuery(savedCardsQuery);
  if (!data?.sameAgain) return fallback;
  return (
    <Link to="/flex/payments" search={{ again: 1 }} className={buttonClass(variant, "w-full sm:w-auto")}>
      <RotateCcw aria-hidden className="size-4.5" />
      {m.again_link()}
    </Link>
  );
}
