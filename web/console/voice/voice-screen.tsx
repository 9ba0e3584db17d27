import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { formatPhone } from "../../../locales/phone-number.ts";
import type { OperatorFeedback } from "../../../worker/contract/console/voice.ts";
import {
  DEVICE_TIME_ZONE,
  formatCount,
  formatDate,
  formatSignedCount,
} from "../../features/language/format.ts";
import { Button } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import { feedbackListQuery } from "../calls/voice.ts";
import { CONSOLE_PATHS } from "../console-page.ts";
import { CsvButton, ExportButton } from "../tables/csv-button.tsx";
import { CSV_COLUMNS } from "../tables/csv-columns.ts";
import { DataTable, Section, type Column } from "../tables/data-table.tsx";
import { AnnouncementsSection } from "./announcements-section.tsx";
import { ErrorsSection } from "./errors-section.tsx";
import { formatInstant } from "../../features/language/format-instant.ts";
import { m } from "../messages/messages.js";
import { ScreenBoundary } from "../calls/load-states.tsx";

type Week = OperatorFeedback["weeks"][number];
type Comment = OperatorFeedback["comments"][number];

const MINUTE_MS = 60_000;

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

/** Scores by week, and the drivers' comments with whose they are. */
export function FeedbackSections() {
  const now = useNow(MINUTE_MS);
  const found = useSuspenseInfiniteQuery(feedbackListQuery);
  const comments = found.data.pages.flatMap((page) => page.comments);
  return (
    <>
      <Section
        title={m.feedback()}
        note={m.feedback_note()}
        actions={
          <CsvButton
            name="feedback"
            table={m.feedback()}
            columns={CSV_COLUMNS.feedback}
            rows={found.data.pages[0]?.weeks ?? []}
          />
        }
      >
        <DataTable
          label={m.feedback()}
          columns={weekColumns}
          rows={found.data.pages[0]?.weeks ?? []}
          rowKey={({ at }) => String(at)}
          empty={m.nothing()}
        />
      </Section>
      <Section
        title={m.comments()}
        actions={
          <ExportButton
            order={{ table: "comments" }}
            table={m.comments()}
            columns={CSV_COLUMNS.comments}
            rowsOf={({ comments: all }) => all}
          />
        }
      >
        <DataTable
          label={m.comments()}
          columns={commentColumns(now)}
          rows={comments}
          rowKey={({ id }) => id}
          empty={m.comments_none()}
        />
        {found.hasNextPage && (
          <Button
            className="m-4"
            aria-disabled={found.isFetchingNextPage}
            onClick={() => found.isFetchingNextPage || void found.fetchNextPage()}
          >
            {m.acts_more()}
          </Button>
        )}
      </Section>
    </>
  );
}

const weekColumns: Column<Week>[] = [
  { id: "week", title: m.feedback_week(), renderCell: ({ at }) => formatDate(at, "UTC") },
  {
    id: "answers",
    title: m.feedback_answers(),
    renderCell: ({ answers }) => formatCount(answers),
    isFigure: true,
  },
  {
    id: "average",
    title: m.feedback_average(),
    renderCell: ({ average }) => (average === null ? "–" : formatCount(Math.round(average * 10) / 10)),
    isFigure: true,
  },
  {
    id: "net",
    title: m.feedback_net(),
    renderCell: ({ net }) => (net === null ? "–" : formatSignedCount(net)),
    isFigure: true,
  },
  {
    id: "skipped",
    title: m.feedback_skipped(),
    renderCell: ({ skipped }) => formatCount(skipped),
    isFigure: true,
  },
];

function commentColumns(now: number): Column<Comment>[] {
  return [
    {
      id: "score",
      title: m.feedback_score(),
      renderCell: ({ score }) => score !== null && formatCount(score),
      isFigure: true,
    },
    {
      id: "comment",
      title: m.comment(),
      renderCell: ({ comment }) => <span className="block min-w-40 break-words">{comment}</span>,
    },
    {
      id: "who",
      title: m.driver(),
      renderCell: ({ driverId, name, phone }) => (
        <>
          <a href={CONSOLE_PATHS.driver(driverId)} className="underline underline-offset-4">
            {name ?? driverId.slice(0, 8)}
          </a>
          <span className="figures block whitespace-nowrap text-soft">{phone && formatPhone(phone)}</span>
        </>
      ),
    },
    {
      id: "when",
      title: m.when(),
      renderCell: ({ at }) => formatInstant(at, { timeZone: DEVICE_TIME_ZONE, now }),
      isWideOnly: true,
    },
  ];
}
