import { createFileRoute, useLocation } from "@tanstack/react-router";
import { UndoScreen } from "../features/account/undo-screen.tsx";

export const Route = createFileRoute("/undo")({ component: Undo });

function Undo() {
  const hash = useLocation({ select: (location) => location.hash });
  return <UndoScreen hash={hash} />;
}
