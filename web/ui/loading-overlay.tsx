import { useEffect, useState } from "react";
import { m } from "../messages/messages.js";

/** A load faster than this never shows the overlay. */
const DELAY_MS = 250;

/** Covers the whole page while the session or the driver's record is loading. */
export function LoadingOverlay() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isSlow) return null;
  return (
    <output className="fixed inset-0 z-50 grid place-content-center justify-items-center gap-4 bg-ground">
      <span aria-hidden className="flex h-2 gap-2">
        {[0, 150, 300].map((delay) => (
          <span
            key={delay}
            className="w-6 animate-[breathe_900ms_ease-in-out_infinite] rounded-full bg-edge"
            style={{ animationDelay: `${delay}ms` }}
          />
        ))}
      </span>
      <p className="font-semibold">{m.loading()}</p>
    </output>
  );
}
