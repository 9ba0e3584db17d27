import { lazy, useState } from "react";
import { Sheet } from "../../ui/sheet.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LoadBoundary, type CaughtError } from "../errors/load-error.tsx";
import { ScreenError } from "../errors/screen-error.tsx";
import type { FeedItem } from "../offers/feed-item.ts";
import type { SelectedOffer } from "../offers/offer-details.tsx";

// No list needs it before a tap.
const OfferDetails = lazy(async () => ({
  default: (await import("../offers/offer-details.tsx")).OfferDetails,
}));

/** The details of one offer, and why it was captured or not. */
export function OfferSheet({
  selected,
  items,
  onClose,
}: {
  selected: SelectedOffer | null;
  /** The list beneath, as it is now. */
  items: readonly FeedItem[];
  onClose: () => void;
}) {
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
          <OfferDetails item={latestOf(lastOpened.item, items)} place={lastOpened.place} />
        </LoadBoundary>
      )}
    </Sheet>
  );
}

/** An offer or block changes while its sheet is open. Reasons stay as they are read, with the change that was made. */
function latestOf(opened: FeedItem, items: readonly FeedItem[]): FeedItem {
  if (opened.outcome.kind === "rejected") return opened;
  return items.find((item) => idOf(item) === idOf(opened)) ?? opened;
}

/** Of a block's offer the platform may say nothing. */
function idOf({ offer, outcome }: FeedItem): string {
  return offer.offerId || (outcome.kind === "won" ? outcome.block.blockId : "");
}

function DetailsError(caught: CaughtError) {
  return <ScreenError {...caught} isPart />;
}
