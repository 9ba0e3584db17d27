import { createFileRoute } from "@tanstack/react-router";
import { ChecksScreen } from "../../features/checks/checks-screen.tsx";

export const Route = createFileRoute("/flex/checks")({ component: ChecksScreen });
