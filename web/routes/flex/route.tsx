import { createFileRoute, Outlet, type ErrorComponentProps } from "@tanstack/react-router";
import { LazySessionRecording } from "../../features/recording/lazy-recording.tsx";
import { DriverGate, DriverGateError, DriverGatePending } from "../../features/session/driver-gate.tsx";
import { requireDriver } from "../../features/session/driver-guard.ts";
import { DriverFrame } from "../../features/shell/driver-frame.tsx";

// The guard is a loader and not `beforeLoad`, so that the screen's own code and data load in parallel with it. Without
// a session their calls fail before they leave the page, and the router shows the parent's error or redirect.
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
        <LazySessionRecording />
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
