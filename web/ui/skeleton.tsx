/** Invisible, in its place, while the `peer` before it has a skeleton. */
export const SETTLED_CLASS = "peer-has-[[data-skeleton]]:invisible";

/**
 * A placeholder in the shape of what is loading. Content below it that would move is shown after it: `peer` on the part
 * above, `SETTLED_CLASS` on the part below.
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
