import { WifiOff } from "lucide-react";
import type { ReactNode } from "react";
import { m } from "../messages/messages.js";
import { StatusPanel } from "./status-panel.tsx";
import { useOnline } from "./use-online.ts";

/** Shows a skeleton while something loads; without a connection, that it will load later. */
export function Pending({ children }: { children: ReactNode }) {
  return useOnline() ? children : <OfflinePanel />;
}

/** For what isn't on the device and can't be fetched without a connection. */
export function OfflinePanel({ heading }: { heading?: "h1" }) {
  return (
    <StatusPanel Icon={WifiOff} role="alert" heading={heading ?? "p"} title={m.offline_title()}>
      {m.offline_text()}
    </StatusPanel>
  );
}
