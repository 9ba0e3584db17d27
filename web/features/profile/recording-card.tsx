import { useId } from "react";
import { m } from "../../messages/messages.js";
import { Switch } from "../../ui/switch.tsx";
import { useRecordingConsent } from "../recording/use-recording-consent.ts";
import { ProfileCard } from "./profile-card.tsx";

/** Whether sessions may be recorded, where the deployment has a recorder. Off ends it at once. */
export function RecordingCard() {
  const textId = useId();
  const { consent, save, isPending, isError } = useRecordingConsent();
  if (consent === undefined) return null;
  return (
    <ProfileCard title={m.recording_card_title()}>
      <div className="flex items-center justify-between gap-4">
        <p id={textId}>{m.recording_text()}</p>
        <Switch
          checked={consent === true}
          disabled={isPending}
          label={m.recording_card_title()}
          describedBy={textId}
          onChange={save}
        />
      </div>
      {isError && (
        <p role="alert" className="text-sm font-semibold text-bad">
          {m.recording_failed()}
        </p>
      )}
    </ProfileCard>
  );
}
