import { lazy, Suspense, type ComponentType } from "react";
import { useQuery } from "@tanstack/react-query";
import { configQuery } from "../../api/queries.ts";

/** Only where the deployment has a recorder; nobody else loads a byte of it. Where it can't be fetched, nobody is asked. */
const SessionRecording = lazy<ComponentType>(() =>
  import("./session-recording.tsx").then(
    ({ SessionRecording: Recording }) => ({ default: Recording }),
    () => ({ default: () => null }),
  ),
);
const RecordingQuestion = lazy<ComponentType>(() =>
  import("./recording-question.tsx").then(
    ({ RecordingQuestion: Question }) => ({ default: Question }),
    () => ({ default: () => null }),
  ),
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
