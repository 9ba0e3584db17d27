import { AnnouncementsSection } from "./announcements-section.tsx";
import { ErrorsSection } from "./errors-section.tsx";
import { FeedbackSections } from "./feedback-section.tsx";
import { m } from "../messages/messages.js";
import { ScreenBoundary } from "../calls/load-states.tsx";

/** Announcements to drivers, their feedback, and their errors. */
export function VoiceScreen() {
  return (
    <>
      <h1 className="text-2xl">{m.nav_voice()}</h1>
      <AnnouncementsSection />
      <ScreenBoundary>
        <FeedbackSections />
      </ScreenBoundary>
      <ErrorsSection />
    </>
  );
}
