import type { ReactNode } from "react";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { formatServiceTime } from "../../../locales/format.ts";
import { factToken, SERVED_PARTS } from "../../../worker/contract/served-cases.ts";
import { useLoadedConfig, useProductName } from "../../api/queries/use-config.ts";
import { m } from "../../messages/messages.js";
import { ServedPart } from "../../prerender/served-part.tsx";
import { currentLocale } from "../language/locale.ts";

/** Shows what depends on the lost time of a day from which on it is given back: its length; null where none is. */
export function DaysBack({ children }: { children: (length: string | null) => ReactNode }) {
  const minutes = useLoadedConfig()?.daysBackMinutes;
  return (
    <ServedPart
      name={SERVED_PARTS.daysBack}
      cases={() => ({ on: children(factToken("days-back")), off: children(null) })}
      fallback={null}
    >
      {minutes === undefined
        ? null
        : children(minutes === null ? null : formatServiceTime(currentLocale(), minutes * MINUTE_MS))}
    </ServedPart>
  );
}

/** From how much lost time in a day on it is given back, as the terms and the questions promise it. */
export function DaysBackText({ className }: { className: string }) {
  const product = useProductName();
  return (
    <DaysBack>
      {(length) => (
        <p className={className}>
          {length === null ? m.terms_days_back_off({ product }) : m.terms_days_back({ product, length })}
        </p>
      )}
    </DaysBack>
  );
}
