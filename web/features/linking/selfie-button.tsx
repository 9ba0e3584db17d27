import { lazy, useState } from "react";
import { createPortal } from "react-dom";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useOnline } from "../../ui/use-online.ts";
import { LoadBoundary, type CaughtError } from "../errors/load-error.tsx";
import { ScreenError } from "../errors/screen-error.tsx";

const SelfieFrame = lazy(async () => ({ default: (await import("./selfie-frame.tsx")).SelfieFrame }));

/**
 * Opens the platform's selfie page in a sheet, which stays open where the connection is lost for a moment. Without one there
 * is no button.
 * @param isSecond whether the screen has a lime button already
 */
export function SelfieButton({ url, isSecond = false }: { url: string; isSecond?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const isOnline = useOnline();
  return (
    <>
      {isOnline && (
        <Button variant={isSecond ? "plain" : "primary"} onClick={() => setOpen(true)}>
          {m.phase_verification_action()}
        </Button>
      )}
      {createPortal(
        <Sheet open={isOpen} onClose={() => setOpen(false)} title={m.selfie_title()}>
          <LoadBoundary skeleton={<Skeleton className="h-80" />} errorComponent={FrameError}>
            <SelfieFrame url={url} />
          </LoadBoundary>
        </Sheet>,
        // The button may be inside a dark card, whose colors the sheet must not inherit.
        document.body,
      )}
    </>
  );
}

function FrameError(caught: CaughtError) {
  return <ScreenError {...caught} isPart />;
}
