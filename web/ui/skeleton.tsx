/** Invisible, in its place, while the `peer` before it has a skeleton. */
export const SETTLED_CLASS = "peer-has-[[data-skeleton]]:invisible";

/**
 * A placeholder in the shape of what is loading. What stands below it and would move is shown after it: `peer` on what is
 * above, `SETTLED_CLASS` on what is below.
 */
export function Skeleton({ className = "" }: { className?: string }) {
  return (
    <div
      aria-hidden
      data-skeleton
      className={`animate-[breathe_1.6s_ease-in-out_infinite] rounded-field bg-sunken ${className}`}
    />
  );
}
