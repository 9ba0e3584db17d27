/** A placeholder in the shape of what is loading. */
export function Skeleton({ className = "" }: { className?: string }) {
  return (
    <div
      aria-hidden
      data-skeleton
      className={`animate-[breathe_1.6s_ease-in-out_infinite] rounded-field bg-sunken ${className}`}
    />
  );
}
