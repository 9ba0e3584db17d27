import { WifiOff } from "lucide-react";
import type { ReactNode } from "react";
import { m } from "../messages/messages.js";
import { StatusPanel } from "./status-panel.tsx";
import { useOnline } from "./use-online.ts";

/** While something loads: a skeleton, or without a connection, what it waits for. */
export function Pending({ children }: { children: ReactNode }) {
  return useOnline() ? children : <OfflinePanel />;
}

/** Nothing of it is on this device, and there is no connection to load it over. */
export function OfflinePanel({ heading }: { heading?: "h1" }) {
  return (
    <StatusPanel Icon={WifiOff} role="alert" heading={heading ?? "p"} title={m.offline_title()}>
      {m.offline_text()}
    </StatusPanel>
  );
}
