import { m } from "../messages/messages.js";
import { Button } from "./button.tsx";

/** For what only a later release of the page can show. */
export function ReloadButton() {
  return (
    <Button variant="primary" className="w-full" onClick={() => location.reload()}>
      {m.app_reload()}
    </Button>
  );
}
