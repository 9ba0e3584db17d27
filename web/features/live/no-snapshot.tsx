import { useSelector } from "@tanstack/react-store";
import { RefreshCw, WifiOff } from "lucide-react";
import type { ReactNode } from "react";
import { liveStore } from "../../api/live/live.ts";
import { m } from "../../messages/messages.js";
import { ReloadButton } from "../../ui/reload-button.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";

/** In place of what a snapshot has, until there is one: why there is none, where it isn't on its way. */
export function NoSnapshot({ title, pending }: { title: string; pending: ReactNode }) {
  const connection = useSelector(liveStore, (live) => live.connection);
  const isUnreadable = useSelector(liveStore, (live) => live.isUnreadable);
  if (isUnreadable) return <NewerSnapshot title={title} />;
  if (connection === "revoked") return <ConnectionBanner />;
  return connection === "waiting" ? <ConnectionError title={title} /> : pending;
}

/** For what only a later release of the page can show. */
function NewerSnapshot({ title }: { title: string }) {
  return (
    <div className="card">
      <StatusPanel Icon={RefreshCw} role="alert" title={title} actions={<ReloadButton />}>
        {m.live_newer_text()}
      </StatusPanel>
    </div>
  );
}

function ConnectionError({ title }: { title: string }) {
  return (
    <div className="card">
      <StatusPanel Icon={WifiOff} role="alert" title={title}>
        {m.live_failed_text()}
      </StatusPanel>
    </div>
  );
}
