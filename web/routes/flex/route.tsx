import { createFileRoute, Outlet, type ErrorComponentProps } from "@tanstack/react-router";
import { DriverGate, DriverGateError, DriverGatePending } from "../../features/session/driver-gate.tsx";
import { requireDriver } from "../../features/session/driver-guard.ts";
import { DriverFrame } from "../../features/shell/driver-frame.tsx";

// The guard is a loader, so that it runs beside the loaders and the code of the screen behind it. Theirs fail by
// themselves where nobody is signed in, and what it throws is what is shown.
export const Route = createFileRoute("/flex")({
  loader: ({ context: { queryClient }, location }) => requireDriver(queryClient, location.href),
  pendingMs: 0,
  pendingComponent: DriverFramePending,
  errorComponent: DriverFrameError,
  component: DriverScreens,
});

function DriverScreens() {
  return (
    <DriverFrame>
      <DriverGate>
        <Outlet />
      </DriverGate>
    </DriverFrame>
  );
}

function DriverFramePending() {
  return (
    <DriverFrame>
      <DriverGatePending />
    </DriverFrame>
  );
}

function DriverFrameError(caught: ErrorComponentProps) {
  return (
    <DriverFrame>
      <DriverGateError {...caught} />
    </DriverFrame>
  );
}
