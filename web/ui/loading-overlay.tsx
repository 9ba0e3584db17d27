import { m } from "../messages/messages.js";
import { useDelayed } from "./use-delayed.ts";

/** Whatever is there sooner than this is there without an overlay in between. */
const DELAY_MS = 250;

/** The whole screen, while it is not yet known who is looking. */
export function LoadingOverlay() {
  const isSlow = useDelayed(DELAY_MS);
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
