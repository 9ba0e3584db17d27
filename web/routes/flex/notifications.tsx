import { createFileRoute } from "@tanstack/react-router";
import { NotificationSettings } from "../../features/notifications/notification-settings.tsx";
import { m } from "../../messages/messages.js";

export const Route = createFileRoute("/flex/notifications")({ component: Notifications });

function Notifications() {
  return (
    <div className="mx-auto max-w-2xl">
      <h1 className="sr-only">{m.notify_title()}</h1>
      <NotificationSettings />
    </div>
  );
}
