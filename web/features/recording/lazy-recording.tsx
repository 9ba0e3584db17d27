import { Suspense, type ComponentType } from "react";
import { lazyOptional } from "../../ui/lazy-optional.ts";
import { useQuery } from "@tanstack/react-query";
import { configQuery } from "../../api/queries/user.ts";

/** Only where the deployment has a recorder; nobody else loads a byte of it. Where it can't be fetched, nobody is asked. */
const SessionRecording = lazyOptional(async () => (await import("./session-recording.tsx")).SessionRecording);
const RecordingQuestion = lazyOptional(
  async () => (await import("./recording-question.tsx")).RecordingQuestion,
);

export function LazySessionRecording() {
  return <WhereRecorded Part={SessionRecording} />;
}

export function LazyRecordingQuestion() {
  return <WhereRecorded Part={RecordingQuestion} />;
}

function WhereRecorded({ Part }: { Part: ComponentType }) {
  if (!useQuery(configQuery).data?.recording) return null;
  return (
    <Suspense fallback={null}>
      <Part />
    </Suspense>
  );
}
