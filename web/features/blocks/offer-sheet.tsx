import { lazy, useState } from "react";
import { Sheet } from "../../ui/sheet.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LoadBoundary, type CaughtError } from "../errors/load-error.tsx";
import { ScreenError } from "../errors/screen-error.tsx";
import type { SelectedOffer } from "../offers/offer-details.tsx";

// No list needs it before a tap.
const OfferDetails = lazy(async () => ({
  default: (await import("../offers/offer-details.tsx")).OfferDetails,
}));

/** The details of one offer, and why it was captured or not. */
export function OfferSheet({ selected, onClose }: { selected: SelectedOffer | null; onClose: () => void }) {
  // The last one stays visible while the sheet closes.
  const [lastOpened, setLastOpened] = useState(selected);
  if (selected && selected !== lastOpened) setLastOpened(selected);
  return (
    <Sheet open={selected !== null} onClose={onClose} title={lastOpened?.place.name ?? ""}>
      {lastOpened && (
        <LoadBoundary
          skeleton={<Skeleton className="h-80" />}
          errorComponent={DetailsError}
          resetKey={lastOpened.item.offer.offerId}
        >
          <OfferDetails item={lastOpened.item} place={lastOpened.place} />
        </LoadBoundary>
      )}
    </Sheet>
  );
}

function DetailsError(caught: CaughtError) {
  return <ScreenError {...caught} isPart />;
}
